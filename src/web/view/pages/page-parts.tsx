// What the pages have in common: a title with controls, a row of figures, and cards.

import type { ComponentChildren } from 'preact'

type HeadProps = Readonly<{ title: string; children?: ComponentChildren }>

export function PageHead({ title, children }: HeadProps) {
  return (
    <header class="page-head">
      <h2>{title}</h2>
      <span class="spacer" />
      {children}
    </header>
  )
}

type FactsProps = Readonly<{ label: string; stale: boolean; children: ComponentChildren }>

export function Facts({ label, stale, children }: FactsProps) {
  return (
    <dl class={`page-facts ${stale ? 'stale' : ''}`} aria-label={label}>
      {children}
    </dl>
  )
}

type FactProps = Readonly<{
  name: string
  title?: string
  note?: ComponentChildren
  children: ComponentChildren
}>

export function Fact({ name, title, note, children }: FactProps) {
  return (
    <div class="card page-fact" title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd class="small">{note}</dd>}
    </div>
  )
}

type CardProps = Readonly<{ title: string; tools?: ComponentChildren; children: ComponentChildren }>

export function Card({ title, tools, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <div class="card-head">
        <h3>{title}</h3>
        <span class="spacer" />
        {tools}
      </div>
      {children}
    </section>
  )
}
