// The handle between two panels, moved by dragging or by the arrow keys. A double click resets it.

import { useRef } from 'preact/hooks'
import { usual } from '../../model/preferences.ts'
import { useTerminal } from '../use-terminal.ts'

type HandleProps = Readonly<{
  label: string
  direction: 'columns' | 'rows'
  /** Size preference that the handle changes. */
  size: 'ticket' | 'bottom' | 'book' | 'bookShare'
  min: number
  max: number
  /** Change of the value per pixel to the right or down. */
  factor: number
}>

const keyStep = 16

export function Handle(props: HandleProps) {
  const { label, direction, size, min, max, factor } = props
  const { preferences } = useTerminal()
  const value = preferences.now.value[size]
  const from = useRef<{ at: number; value: number } | null>(null)
  const along = (event: PointerEvent) => (direction === 'columns' ? event.clientX : event.clientY)
  const set = (next: number) =>
    preferences.change({ [size]: Math.round(Math.min(max, Math.max(min, next))) })
  const keys: Readonly<Record<string, number>> =
    direction === 'columns' ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged.
    <div
      class={`handle ${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onDblClick={() => set(usual[size])}
      onPointerDown={(event) => {
        from.current = { at: along(event), value }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        const start = from.current
        if (start !== null) set(start.value + (along(event) - start.at) * factor)
      }}
      onPointerUp={() => {
        from.current = null
      }}
      onKeyDown={(event) => {
        const step = keys[event.key]
        if (step === undefined) return
        event.preventDefault()
        set(value + step * keyStep * factor)
      }}
    />
  )
}
