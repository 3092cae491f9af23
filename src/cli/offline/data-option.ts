// The option for the data folder of offline commands.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Point } from '../../lab/fork/point.ts'
import { LabFault } from '../../lab/lab-fault.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import { momentMs } from '../frame/moment.ts'
import type { Environment } from '../frame/screen.ts'

export const dataOption = {
  data: { value: '<folder>', about: 'data folder (default: ./data)' },
} as const

/** Path of a folder that need not exist. */
export function newFolderOf(given: string | undefined, environment: Environment): string {
  return resolve(given ?? environment.OPENPERP_DATA ?? './data')
}

export function dataFolderOf(
  given: string | undefined,
  environment: Environment,
  hint = 'name the data folder of an exchange with --data',
): string {
  const folder = newFolderOf(given, environment)
  if (!existsSync(folder)) throw misused(`${folder} does not exist`, hint)
  return folder
}

/** The value of `--at`; `null`: the newest entry. */
export function pointOf(text: string | undefined): Point | null {
  if (text === undefined) return null
  if (/^\d{1,15}$/.test(text)) return { seq: Number.parseInt(text, 10) }
  return { atMs: momentMs('--at', text) }
}

const damageCodes = new Set([
  ...['JOURNAL_DAMAGED', 'SNAPSHOT_DAMAGED', 'MARK_MISSING', 'FORMAT_UNKNOWN'],
])

/** Reports a fault of the data folder with its own message and the exit code for damaged data.
 *  `refused`: what a request to the lab that cannot be carried out is reported as. */
export async function onData<T>(
  work: () => Promise<T>,
  refused: 'refused' | 'misused' = 'refused',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LabFault)
      throw new CliError(refused, error.message, error.hint === null ? {} : { hint: error.hint })
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'FOLDER_LOCKED' || code === 'IN_CLUSTER')
      throw new CliError('refused', message, { cause: error })
    if (damageCodes.has(code ?? ''))
      throw new CliError('damaged', message, { cause: error, facts: { code } })
    throw error
  }
}
