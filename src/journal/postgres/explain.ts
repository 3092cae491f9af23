// Explains errors of a database or of the network in a sentence that contains the solution.

import { StoreFault, type StoreFaultCode } from '../store/store-fault.ts'
import type { Host } from './hosts.ts'

type DatabaseError = Error & Readonly<{ code?: string; severity?: string }>

type Advice = Readonly<{ code: StoreFaultCode; text: string }>

/** Advice by SQLSTATE for database errors, and by system error code for connections. */
const advice: Readonly<Record<string, Advice>> = {
  '28P01': { code: 'STORE_REFUSED', text: 'check user and password in the connection string' },
  '28000': { code: 'STORE_REFUSED', text: 'let this user and this machine in (pg_hba.conf)' },
  '3D000': { code: 'STORE_REFUSED', text: 'create the database, or name another one' },
  '42501': {
    code: 'STORE_REFUSED',
    text:
      'the user of a trading node has to own the tables; that of a read node has to be a ' +
      'member of openperp_reader, and a trading node has to have started since',
  },
  '53100': { code: 'STORE_FULL', text: 'its disk is full: make room there, then start again' },
  '53300': { code: 'STORE_REFUSED', text: 'raise max_connections, or end other connections' },
  '57P03': { code: 'STORE_UNREACHABLE', text: 'it is starting or stopping: try again' },
  '25006': { code: 'STORE_UNREACHABLE', text: 'it is a standby now: look for the primary again' },
  ECONNREFUSED: { code: 'STORE_UNREACHABLE', text: 'nothing listens there: check host and port' },
  ENOENT: { code: 'STORE_UNREACHABLE', text: 'there is no such socket: check the path' },
  ENOTFOUND: { code: 'STORE_UNREACHABLE', text: 'there is no such host: check the name' },
  ETIMEDOUT: { code: 'STORE_UNREACHABLE', text: 'check the network and the firewall' },
}

/** Converts an error to a fault. An error that is a fault already is returned unchanged. */
export function faultOf(error: unknown, { name }: Host): StoreFault {
  if (error instanceof StoreFault) return error
  const { code = '', message, severity } = error as DatabaseError
  const known = advice[code]
  const said = message === '' ? code : message
  if (known !== undefined)
    return new StoreFault(known.code, `the database ${name} says "${said}": ${known.text}`, error)
  // Errors of the server have a severity; all others are connection errors.
  if (severity === undefined || severity === 'FATAL' || severity === 'PANIC')
    return new StoreFault(
      'STORE_UNREACHABLE',
      `connection to the database ${name} lost: ${said}`,
      error,
    )
  return new StoreFault('STORE_REFUSED', `the database ${name} says "${said}" (${code})`, error)
}

/** Whether the statement certainly had no effect, because the server refused it and keeps the
 *  connection open. An error that closes the connection may have occurred after the commit. */
export function isRolledBack(error: unknown): boolean {
  return (error as DatabaseError).severity === 'ERROR'
}
