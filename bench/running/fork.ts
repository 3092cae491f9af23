// A fork at the middle of a long journal: how long it takes, and whether the original keeps every
// byte.

import { rmSync } from 'node:fs'
import { forkFolder } from '../../src/lab/fork/fork-folder.ts'
import { folderHash } from '../../test/support/lab/folder-hash.ts'
import { flag, number } from '../../test/support/program/options.ts'
import { programOptions } from '../../test/support/program/program.ts'
import { DiskRun } from '../disk-run.ts'
import { submitAll } from '../paired/build.ts'
import { opening, SignedFlow } from '../paired/signed-flow.ts'

const secondsMax = 15
const batch = 256

const { commands, check } = programOptions({
  name: 'lab/fork',
  about: 'Writes a journal without a snapshot, and forks it at the middle.',
  options: {
    commands: number(1_000_000, 'signed orders and cancels'),
    check: flag('exit with code 1 if the target is missed'),
  },
})

const run = new DiskRun()
const target = `${run.folder}-fork`
try {
  const data = await run.open()
  await submitAll(data, opening(), batch)
  await submitAll(data, new SignedFlow(commands, run).commands(), batch)
  await data.close({ snapshot: false })
  const hash = folderHash(run.folder)
  const started = performance.now()
  const seq = Math.floor(commands / 2)
  const forked = await forkFolder({ source: run.folder, target, at: { seq }, anonymise: false })
  const seconds = (performance.now() - started) / 1_000
  const isEqual = folderHash(run.folder) === hash
  console.log(`forked at entry ${forked.seq} of ${commands} in ${seconds.toFixed(1)} s`)
  console.log(`the original ${isEqual ? 'kept every byte' : 'WAS CHANGED'}`)
  if (check && (seconds > secondsMax || !isEqual)) process.exitCode = 1
} finally {
  run.remove()
  rmSync(target, { recursive: true, force: true })
}
