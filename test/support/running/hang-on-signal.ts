// Loaded into a process before its program (`--import`): on a signal its main thread hangs, while
// its other threads continue. The endless loop uses a processor, and the block does not.

import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { blockSignal, hangsText, loopSignal } from './hanging.ts'

const standardError = 2

function loop(): never {
  for (;;);
}

function block(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

if (isMainThread)
  for (const [signal, hang] of [
    [loopSignal, loop],
    [blockSignal, block],
  ] as const)
    process.on(signal, () => {
      writeSync(standardError, hangsText)
      hang()
    })
