// Choices between few options: tabs switch content, segments set a value. Both support the arrow
// keys, as screen readers expect.

import type { ComponentChildren } from 'preact'

type Option<T extends string> = Readonly<{ value: T; label: ComponentChildren; title?: string }>

type ChoiceProps<T extends string> = Readonly<{
  label: string
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
}>

function moved<T extends string>(
  { options, value, onChange }: ChoiceProps<T>,
  event: KeyboardEvent,
) {
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const at = options.findIndex((option) => option.value === value)
  const next = (at + step + options.length) % options.length
  onChange(options[next]!.value)
  const list = (event.currentTarget as HTMLElement).children
  ;(list[next] as HTMLElement).focus()
}

type SegmentProps<T extends string> = ChoiceProps<T> & { class?: string; disabled?: boolean }

export function Segments<T extends string>(props: SegmentProps<T>) {
  const { label, value, options, onChange, disabled = false } = props
  return (
    <div
      class={`segments ${props.class ?? ''}`}
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => moved(props, event)}
    >
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input cannot be styled as a segment.
        <button
          key={option.value}
          type="button"
          class={`segment segment-${option.value}`}
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          title={option.title}
          disabled={disabled}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}

export function Tabs<T extends string>(props: ChoiceProps<T> & { panel?: string }) {
  const { label, value, options, onChange, panel } = props
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={(event) => moved(props, event)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          class="tab"
          role="tab"
          aria-selected={option.value === value}
          aria-controls={panel}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
