import { useEffect } from 'preact/hooks'
import type { Terminal } from '../model/terminal.ts'
import { shortcuts } from './commands.ts'

/** Whether a key belongs to the focused input instead of a shortcut. Exception: `2` focuses a field
 *  of the ticket, and `b` or `s` after it select the side, because the field is empty and no number
 *  has a letter. */
function typing({ target, key }: KeyboardEvent): boolean {
  const element = target as HTMLElement | null
  const isSide = key === 'b' || key === 's'
  if (isSide && element?.id.startsWith('ticket-') && (element as HTMLInputElement).value === '')
    return false
  return (
    element !== null &&
    (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable)
  )
}

export function useShortcuts(terminal: Terminal): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        terminal.open({ show: 'palette' })
        return
      }
      if (event.key === 'Escape') {
        if (terminal.overlay.peek() !== null) terminal.close()
        else if (terminal.drawer.peek()) terminal.drawer.value = false
        else (document.activeElement as HTMLElement | null)?.blur()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
      if (terminal.overlay.peek() !== null) return
      const command = shortcuts.find(({ keys }) => keys === event.key)
      if (command === undefined) return
      event.preventDefault()
      command.act(terminal)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [terminal])
}
