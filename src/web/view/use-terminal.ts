import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Terminal } from '../model/terminal.ts'

export const TerminalContext = createContext<Terminal | null>(null)

export function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext)
  if (terminal === null) throw new Error('no terminal around this part')
  return terminal
}
