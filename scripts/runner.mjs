// How Node's own runner runs files of tests: what `npm test` passes to it.
import { availableParallelism, loadavg } from 'node:os'

/** A file that never ends is killed and named; the longest takes a minute on two quiet cores,
 *  and ten times that on a machine whose host gives it a tenth of the time. */
const fileMsMax = 840_000

/** As many times longer as other work already takes from each file. */
const burden = () => Math.max(1, loadavg()[0] / availableParallelism() / 2)

export function runnerArguments(files, limitMs = Math.ceil(fileMsMax * burden())) {
  // More than there are cores: tests of clusters and browsers wait most of their time, for a disk,
  // a socket or a process.
  const side = `--test-concurrency=${availableParallelism() + 3}`
  const guard = `--test-timeout=${limitMs}`
  const longest = new URL('longest-files.mjs', import.meta.url).href
  const reporters = ['spec', longest].flatMap((name) => [
    `--test-reporter=${name}`,
    '--test-reporter-destination=stdout',
  ])
  return ['--enable-source-maps', '--test', side, guard, ...reporters, ...files]
}
