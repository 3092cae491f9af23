// Loads programs with options that end them before they begin, and sends what each printed. They
// share one process: most of them load the whole exchange, and that takes longer than all the rest.

import { format } from 'node:util'

export type Attempt = Readonly<{ name: string; url: string; args: readonly string[] }>
export type Ending = Attempt &
  Readonly<{
    /** Null if the program did not end by itself. */
    code: number | null
    out: string
    err: string
  }>

class Exit extends Error {
  readonly code: number

  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

async function tried(attempt: Attempt, at: number): Promise<Ending> {
  let [out, err] = ['', '']
  console.log = (...parts: unknown[]) => {
    out += `${format(...parts)}\n`
  }
  console.error = (...parts: unknown[]) => {
    err += `${format(...parts)}\n`
  }
  process.exit = (code) => {
    throw new Exit(Number(code))
  }
  process.argv = [process.execPath, new URL(attempt.url).pathname, ...attempt.args]
  try {
    // Another address each time: a module runs only once.
    await import(`${attempt.url}?${at}`)
    return { ...attempt, code: null, out, err }
  } catch (error) {
    if (error instanceof Exit) return { ...attempt, code: error.code, out, err }
    return { ...attempt, code: null, out, err: `${err}${error}` }
  }
}

process.once('message', async (attempts: readonly Attempt[]) => {
  for (const [at, attempt] of attempts.entries()) {
    const ending = await tried(attempt, at)
    process.send!(ending)
    // A program that has begun would disturb the others.
    if (ending.code === null) break
  }
  process.kill(process.pid, 'SIGKILL')
})
