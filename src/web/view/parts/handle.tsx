// The line between two panels: drag it, or move it by the arrow keys; a double click sets it back.

import { useRef } from 'preact/hooks'

type HandleProps = Readonly<{
  label: string
  direction: 'columns' | 'rows'
  value: number
  min: number
  max: number
  usual: number
  /** Change of the value for one pixel to the right or down. */
  factor: number
  onChange: (value: number) => void
}>

const keyStep = 16

export function Handle(props: HandleProps) {
  const { label, direction, value, min, max, usual, factor, onChange } = props
  const from = useRef<{ at: number; value: number } | null>(null)
  const along = (event: PointerEvent) => (direction === 'columns' ? event.clientX : event.clientY)
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))))
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
      onDblClick={() => set(usual)}
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
