// A reporter for Node's runner: names the files that took longest, so that the author of a test
// sees what tests cost. It prints nothing if only a few files were run.
import { relative } from 'node:path'

const filesMin = 20
const named = 10

export default async function* longestFiles(events) {
  const took = new Map()
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue
    // Of files that share a process, each is a suite with the name of its file.
    const isFile = data.name.endsWith('.test.js')
    const path = isFile ? data.name : relative('.', data.file ?? data.name)
    const file = path.replace(/^(\.\.\/)+|^dist\//, '')
    took.set(file, (took.get(file) ?? 0) + data.details.duration_ms)
  }
  if (took.size < filesMin) return
  const longest = [...took].sort(([, one], [, other]) => other - one).slice(0, named)
  const lines = longest.map(([file, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`)
  yield `the longest of ${took.size} test files:\n${lines.join('\n')}\n`
}
