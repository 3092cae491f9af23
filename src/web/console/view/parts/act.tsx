// A button for an action. Actions that the token does not allow are shown disabled, with the
// missing scope.

import type { ComponentChildren } from 'preact'
import type { Action } from '../../model/action.ts'
import { useConsole } from '../use-console.ts'

type ActProps = Readonly<{ action: Action; children: ComponentChildren; danger?: boolean }>

export function Act({ action, children, danger = false }: ActProps) {
  const operators = useConsole()
  const operation = operators.operation(action.operation)
  if (operation === undefined) return null
  const { scope, summary } = operation
  const allowed = operators.has(scope)
  return (
    <button
      type="button"
      class={`button small ${danger ? 'danger' : ''}`}
      disabled={!allowed}
      data-operation={action.operation}
      title={allowed ? summary : `Not allowed: needs the scope ${scope}`}
      onClick={() => {
        operators.pending.value = action
      }}
    >
      {children}
      <span class="hidden-text">: {action.title}</span>
      {!allowed && (
        <span class="needs">
          <span class="hidden-text">, not allowed: </span>needs {scope}
        </span>
      )}
    </button>
  )
}
