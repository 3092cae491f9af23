// Makes a proof of reserves with `openperp reserves` in a separate process, because replaying the
// journal and hashing every account would block this one.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { apiError } from '../../gateway/api-error.ts'

const program = fileURLToPath(new URL('../openperp.js', import.meta.url))
const run = promisify(execFile)
const timeoutMs = 600_000

/** Proves the reserves at the newest entry; resolves when the file is complete. */
export async function proveReserves(folder: string): Promise<void> {
  try {
    const args = [program, 'reserves', '--data', folder]
    await run(process.execPath, args, { timeout: timeoutMs })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw apiError('NOT_READY', `no proof was made: ${stderr.trim() || message}`)
  }
}
