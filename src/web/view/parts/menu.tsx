// A button that opens a list of choices. The arrow keys move in the list; Escape, a click elsewhere
// and a choice that closes it give the focus back to the button.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export type MenuItem = Readonly<{
  id: string
  label: ComponentChildren
  /** Whether it is chosen, for a choice that can be. */
  checked?: boolean
  /** Whether it is one of several of which one is chosen. */
  radio?: boolean
  /** Whether the list stays open. */
  stays?: boolean
  act: () => void
}>

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The list itself, which closes when the focus or a click leaves it. */
export function MenuList(
  props: Readonly<{
    label: string
    items: readonly MenuItem[]
    onClose: () => void
    columns?: 1 | 2
    style?: Readonly<Record<string, string>>
    children?: ComponentChildren
  }>,
) {
  const { label, items, onClose, columns = 1, style, children } = props
  const box = useRef<HTMLDivElement>(null)
  const entries = () => [...(box.current?.querySelectorAll<HTMLElement>('button, input') ?? [])]
  useLayoutEffect(() => {
    entries()[0]?.focus()
  }, [])
  useEffect(() => {
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) onClose()
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [onClose])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (step !== undefined) {
      const all = entries()
      const at = all.indexOf(document.activeElement as HTMLElement)
      all[(at + step + all.length) % all.length]?.focus()
    } else if (event.key !== 'Enter' || !event.repeat) return
    // A key that is held down opens the list, and chooses nothing in it.
    event.stopPropagation()
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    <div
      ref={box}
      class={`menu columns-${columns}`}
      style={style}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {children}
      {items.map(({ id, label: text, checked, radio, stays, act }) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is a checked item's.
        <button
          key={id}
          type="button"
          class="menu-item"
          role={checked === undefined ? 'menuitem' : radio ? 'menuitemradio' : 'menuitemcheckbox'}
          aria-checked={checked}
          onClick={() => {
            act()
            if (stays !== true) onClose()
          }}
        >
          {checked !== undefined && <span class="menu-mark">{checked ? '✓' : ''}</span>}
          <span>{text}</span>
        </button>
      ))}
    </div>
  )
}

type MenuProps = Readonly<{
  label: string
  /** What the button shows. */
  children: ComponentChildren
  items: readonly MenuItem[]
  /** Columns of the list (default: 1). */
  columns?: 1 | 2
  top?: ComponentChildren
  /** Whether the list lies over what would cut it off, such as a table that scrolls. */
  floats?: boolean
}>

const floatRoom = 150

/** Places a list at its button: below it, or above it at the end of the window. */
function floatingAt(button: HTMLElement): Readonly<Record<string, string>> {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const isBelow = bottom + floatRoom < innerHeight
  return {
    position: 'fixed',
    ...(isBelow
      ? { top: `${bottom + 4}px` }
      : { bottom: `${innerHeight - top + 4}px`, top: 'auto' }),
    ...(right > floatRoom
      ? { right: `${innerWidth - right}px`, left: 'auto' }
      : { left: `${left}px` }),
  }
}

export function Menu({ label, children, items, columns = 1, top, floats = false }: MenuProps) {
  const open = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    if (!open.peek()) return
    open.value = false
    button.current?.focus()
  }
  return (
    <div class="menu-box">
      <button
        ref={button}
        type="button"
        class="tool"
        aria-haspopup="menu"
        aria-expanded={open.value}
        aria-label={label}
        title={label}
        // A press while it is open closes it, because it is outside of the list.
        onPointerDown={(event) => open.peek() && event.stopPropagation()}
        onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
        onClick={() => {
          open.value = !open.peek()
        }}
      >
        {children}
      </button>
      {open.value && (
        <MenuList
          label={label}
          items={items}
          columns={columns}
          onClose={close}
          {...(floats && { style: floatingAt(button.current!) })}
        >
          {top}
        </MenuList>
      )}
    </div>
  )
}
