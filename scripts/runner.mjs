// How Node's own runner runs files of tests: what `npm test` passes to it.
import { availableParallelism } from 'node:os'

/** A file that never ends is killed and named; the longest takes a minute on two quiet cores,
 *  and ten times that on a machine whose host gives it a tenth of the time. */
const fileMsMax = 840_000

export function runnerArguments(files, limitMs = fileMsMax) {
  // More than there are cores: tests of clusters and browsers wait most of their time, for a disk,
  // a socket or a process.
  const side = `--test-concurrency=${availableParallelism() + 3}`
  const guard = `--test-timeout=${limitMs}`
  return ['--enable-source-maps', '--test', side, guard, '--test-reporter=spec', ...files]
}
