import { shortcuts } from '../commands.ts'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

export function ShortcutsDialog() {
  const terminal = useTerminal()
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => terminal.close()}>
      <Numbers
        rows={[
          ...shortcuts.map(({ title, keys }) => [title, <kbd key={title}>{keys}</kbd>] as const),
          ['Commands, also while typing', <kbd key="ctrl">Ctrl K</kbd>],
          ['Close, or leave a field', <kbd key="esc">Esc</kbd>],
        ]}
      />
      <p class="dim">
        Lines on the chart: reach them with Tab, move them with the arrow keys (ten ticks with
        Shift), Enter sends, Escape goes back. Borders between panels move by the arrow keys too.
      </p>
    </Dialog>
  )
}
