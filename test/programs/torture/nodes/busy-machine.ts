// Loops that keep the processors of the machine busy, one process each.

import { type ChildProcess, spawn } from 'node:child_process'

export class BusyMachine {
  private readonly loops: readonly ChildProcess[]

  constructor(loops: number) {
    this.loops = Array.from({ length: loops }, () =>
      // A loop ends by itself when the program was killed.
      spawn(process.execPath, ['-e', 'const of = process.ppid; while (process.ppid === of);'], {
        stdio: 'ignore',
      }),
    )
  }

  close(): void {
    for (const loop of this.loops) loop.kill('SIGKILL')
  }
}
