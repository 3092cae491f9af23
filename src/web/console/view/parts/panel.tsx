// A part of a page with its title, its actions, and its data or the error of reading it.

import type { ComponentChildren } from 'preact'
import { type Read, useConsole } from '../use-console.ts'

type PanelProps = Readonly<{
  title: string
  tools?: ComponentChildren
  children: ComponentChildren
}>

export function Panel({ title, tools, children }: PanelProps) {
  return (
    <section class="panel part" aria-label={title}>
      <div class="part-head">
        <h2>{title}</h2>
        <span class="spacer" />
        {tools}
      </div>
      <div class="part-body scrolls">{children}</div>
    </section>
  )
}

type ShownProps<T> = Readonly<{
  read: Read<T>
  what: string
  /** Text that is shown if the exchange does not have the object. */
  absent?: string
  children: (value: T) => ComponentChildren
}>

/** Shows the newest data. Older data stays visible next to the error of a newer request. */
export function Shown<T>({ read, what, absent, children }: ShownProps<T>) {
  const operators = useConsole()
  const { value, came, trouble, missing } = read
  if (!operators.has('read')) return <p class="nothing">Not allowed: {what} needs the scope read</p>
  if (missing && absent !== undefined) return <p class="nothing">{absent}</p>
  return (
    <>
      {trouble !== null && (
        <p class="trouble" role="alert">
          {what} could not be read: {trouble}
        </p>
      )}
      {came ? children(value as T) : trouble === null && <p class="nothing">Reading …</p>}
    </>
  )
}

type Tone = 'good' | 'bad' | 'warn' | 'plain'

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

type TileProps = Readonly<{ name: string; value: ComponentChildren; children?: ComponentChildren }>

/** A key figure, and its parts. */
export function Tile({ name, value, children }: TileProps) {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd class="tile-value">{value}</dd>
      {children !== undefined && <dd class="dim">{children}</dd>}
    </div>
  )
}
