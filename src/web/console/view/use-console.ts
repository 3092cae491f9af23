import { type Signal, useSignal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import type { AdminName, AdminReply, AdminRequest } from '../../../protocol/admin/admin-api.ts'
import { PlaneError } from '../model/admin-plane.ts'
import type { Console } from '../model/console.ts'

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const found = useContext(ConsoleContext)
  if (found === null) throw new Error('no console around this part')
  return found
}

/** Result of a read. `value` is the newest data, even while `trouble` has the error of a newer
 *  request. If the data may be null, `came` is set once it was received. */
export type Read<T> = Readonly<{
  value: T | null
  came: boolean
  trouble: string | null
  missing: boolean
}>

const everyMs = 5_000
const unread = { value: null, came: false, trouble: null, missing: false }

/** Parameters of an operation, optional if no field is required. */
type Query<N extends AdminName> =
  object extends AdminRequest<N> ? [AdminRequest<N>?] : [AdminRequest<N>]

/** Reads immediately, every few seconds, and after every action. */
export function useRead<N extends AdminName>(
  name: N,
  ...[query = {} as AdminRequest<N>]: Query<N>
): Read<AdminReply<N>> {
  const operators = useConsole()
  const read: Signal<Read<AdminReply<N>>> = useSignal<Read<AdminReply<N>>>(unread)
  const request = `${name} ${JSON.stringify(query)}`
  const { value: done } = operators.done
  useEffect(() => {
    if (!operators.has('read')) return
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = async () => {
      try {
        const value = await operators.read(name, query)
        if (!left) read.value = { value, came: true, trouble: null, missing: false }
      } catch (error) {
        const missing = error instanceof PlaneError && error.status === 404
        const { message } = error as Error
        if (!left) read.value = { ...read.peek(), trouble: message, missing }
      }
      if (!left) timer = setTimeout(again, everyMs)
    }
    void again()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [request, done, operators])
  // A new request must not show the data of the previous one.
  useEffect(() => {
    read.value = unread
  }, [request, read])
  return read.value
}
