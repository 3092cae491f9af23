// A dialog that keeps the focus inside, restores it when it closes, and closes on Escape.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CloseIcon } from './icons.tsx'

type DialogProps = Readonly<{
  title: string
  onClose: () => void
  wide?: boolean
  /** The main action, run by the last button and by Enter in any field. */
  action?: Readonly<{ label: string; go: () => Promise<void> }>
  foot?: ComponentChildren
  children: ComponentChildren
}>

const reachable = [
  'button:not([disabled]):not([tabindex="-1"])',
  'input:not([disabled])',
  'select',
  'textarea',
  'summary',
  'a[href]',
  '[tabindex="0"]',
].join()

/** Makes Tab cycle within the element. */
export function keepFocusIn(box: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab') return
  const stops = [...box.querySelectorAll<HTMLElement>(reachable)]
  const first = stops[0]
  const last = stops.at(-1)
  if (first === undefined || last === undefined) return
  const leaving = event.shiftKey
    ? document.activeElement === first
    : document.activeElement === last
  if (!leaving && box.contains(document.activeElement)) return
  event.preventDefault()
  ;(event.shiftKey ? last : first).focus()
}

export function useFocusInside(onClose: () => void) {
  const box = useRef<HTMLDivElement>(null)
  // Runs before the next key is pressed, so that fast typing goes into the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const first = box.current?.querySelector<HTMLElement>('[data-first]')
    ;(first ?? box.current)?.focus()
    return () => before?.focus?.()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    } else if (box.current !== null) keepFocusIn(box.current, event)
  }
  return { box, onKeyDown }
}

/** Whether a click is outside of the dialog. The second click of a double click does not count. */
const isOutside = ({ target, currentTarget, detail }: MouseEvent) =>
  target === currentTarget && detail < 2

export function Dialog(props: DialogProps) {
  const { title, onClose, wide = false, action, foot, children } = props
  const inside = useFocusInside(onClose)
  const { box } = inside
  // Prevents parallel runs, because a second press would repeat the action.
  const busy = useSignal(false)
  const go = async () => {
    if (busy.peek() || action === undefined) return
    busy.value = true
    await action.go()
    busy.value = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement
    // Ignores a key that is held down, such as the key that opened the dialog.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
    else if (event.key === 'Enter' && typing && action !== undefined) {
      event.preventDefault()
      void go()
    } else inside.onKeyDown(event)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click outside closes it, like Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div class="shade" onClick={(event) => isOutside(event) && onClose()}>
      <div
        ref={box}
        class={`dialog ${wide ? 'wide' : ''}`}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div class="dialog-head">
          <h2>{title}</h2>
          <span class="spacer" />
          <button type="button" class="button small" onClick={onClose} aria-label="Close">
            <CloseIcon />
          </button>
        </div>
        <div class="dialog-body scrolls">{children}</div>
        {(foot !== undefined || action !== undefined) && (
          <div class="dialog-foot">
            {foot}
            {action !== undefined && (
              // Not disabled, because the button would lose the focus and the dialog its keys.
              <button type="button" class="button primary" aria-disabled={busy.value} onClick={go}>
                {action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Shows names and values in a dialog. */
export function Numbers({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="numbers">
      {rows.map(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={`${name} value`}>{value}</dd>,
      ])}
    </dl>
  )
}
