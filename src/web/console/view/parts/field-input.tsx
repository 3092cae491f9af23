import type { FormField } from '../../model/form-field.ts'

type FieldInputProps = Readonly<{
  field: FormField
  value: string
  problem: string | null
  first: boolean
  onInput: (text: string) => void
}>

export function FieldInput(props: FieldInputProps) {
  const { field, problem } = props
  const id = `field-${field.name}`
  const isFlag = field.kind === 'flag'
  return (
    <div class="field">
      {isFlag ? (
        <div class="check">
          <Control {...props} id={id} />
          <label for={id}>{field.label}</label>
        </div>
      ) : (
        <>
          <label for={id}>{field.label}</label>
          <Control {...props} id={id} />
        </>
      )}
      {field.hint !== '' && (
        <p class="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
      {problem !== null && (
        <p class="refusal" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function Control({ field, value, problem, first, onInput, id }: FieldInputProps & { id: string }) {
  const { kind, hint, choices } = field
  const describedBy = [hint === '' ? '' : `${id}-hint`, problem === null ? '' : `${id}-problem`]
  const common = {
    id,
    'data-first': first ? '' : undefined,
    'aria-invalid': problem !== null,
    'aria-describedby': describedBy.join(' ').trim() || undefined,
  }
  if (kind === 'flag')
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === 'true'}
        onChange={({ currentTarget }) => onInput(String(currentTarget.checked))}
      />
    )
  if (kind === 'choice')
    return (
      <select
        {...common}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onInput(currentTarget.value)}
      >
        {field.optional && <option value="">none</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  if (kind === 'rows' || kind === 'long')
    return (
      <textarea
        {...common}
        class="input"
        rows={4}
        spellcheck={kind === 'long'}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )
  return (
    <input
      {...common}
      class="input"
      autocomplete="off"
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}
