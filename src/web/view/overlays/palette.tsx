import { useSignal } from '@preact/signals'
import { type CommandEntry, commandsOf } from '../commands.ts'
import { useFocusInside } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

/** Whether every typed word occurs in the title. */
function fits(title: string, text: string): boolean {
  const lower = title.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

export function Palette() {
  const terminal = useTerminal()
  const close = () => terminal.close()
  const { box, onKeyDown } = useFocusInside(close)
  const text = useSignal('')
  const at = useSignal(0)
  const entries = commandsOf(terminal).filter(({ title }) => fits(title, text.value))
  const run = (index: number) => {
    const entry = entries[index]
    if (entry === undefined) return
    close()
    entry.act(terminal)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      at.value = Math.min(entries.length - 1, Math.max(0, at.value + step))
      document.getElementById(`command-${at.value}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(at.value)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click outside closes it, like Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div class="shade" onClick={(event) => event.target === event.currentTarget && close()}>
      <div
        class="dialog"
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-label="Commands"
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div class="dialog-head">
          <input
            class="input"
            data-first
            placeholder="Search commands"
            role="combobox"
            aria-label="Command"
            aria-expanded="true"
            aria-controls="commands"
            aria-activedescendant={`command-${at.value}`}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
              at.value = 0
            }}
            onKeyDown={onKey}
          />
        </div>
        <CommandList entries={entries} at={at.value} onRun={run} />
      </div>
    </div>
  )
}

type ListProps = Readonly<{
  entries: readonly CommandEntry[]
  at: number
  onRun: (index: number) => void
}>

function CommandList({ entries, at, onRun }: ListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is the combobox's list.
    <ul class="palette-list scrolls" id="commands" role="listbox" aria-label="Commands">
      {entries.map(({ title, keys }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
        <li
          key={title}
          id={`command-${index}`}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above.
          role="option"
          aria-selected={index === at}
          onClick={() => onRun(index)}
        >
          {title} {keys !== undefined && <kbd>{keys}</kbd>}
        </li>
      ))}
    </ul>
  )
}
