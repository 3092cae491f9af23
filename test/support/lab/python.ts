// Runs a program of test/lab/python with the Python package of this clone and its built exchange.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const place = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

/** Whether it failed. `print` gets its output. */
export async function runPython(
  script: string,
  args: readonly string[],
  print: (text: string) => void,
): Promise<boolean> {
  const env = {
    ...process.env,
    ...{ PYTHONPATH: place('python'), PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
    OPENPERP_BIN: place('dist/src/main/openperp.js'),
  }
  const command = [place(`test/lab/python/${script}.py`), ...args]
  const child = spawn('python3', command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (text) => print(`${text}`))
  const [code] = await once(child, 'close')
  return code !== 0
}
