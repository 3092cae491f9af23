// Test files that share a process. Starting a process and loading an exchange into it takes longer
// than most test files, and Node's runner starts one for each. Here a file is a suite: its hooks
// run when its own tests begin and end, and the next file is loaded after them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Which files run in how many processes; each has at most a minute of work. A test that measures
 *  or changes its process runs alone. */
const shared = [
  { name: 'core', has: /^src\/(core|units)\//, processes: 1 },
  { name: 'history', has: /^src\/projections\//, processes: 2 },
  { name: 'sources', has: /^src\//, processes: 2 },
  { name: 'scenarios', has: /^test\/scenarios\//, processes: 1 },
  { name: 'contract', has: /^test\/contract\//, processes: 2 },
  { name: 'clients', has: /^test\/(client|compat|embed|keys|money|streams)\//, processes: 3 },
  { name: 'operated', has: /^test\/(admin|deploy|history|operating|watching)\//, processes: 2 },
  { name: 'hostile', has: /^test\/hostile\//, processes: 1 },
  { name: 'commands', has: /^test\/(cli|sources)\//, processes: 2 },
  { name: 'house', has: /^test\/(support\/|tidy|signing)/, processes: 1 },
]
/** They measure or change their process, or are long. */
const alone = new RegExp(
  `^test/(${[
    'cli/(explain|help|npx|online)',
    'embed/examples',
    'hostile/adversary',
    'money/treasury',
    'streams/floods',
    'watching/traces',
  ].join('|')})`,
)

/** What the runner is to be given for these files of a folder: those that stay alone, and one more
 *  for each process that others share. Those are written into the folder, and gone in the end. */
export function together(folder, files, groups = shared) {
  const processes = new Map()
  for (const [at, file] of files.entries()) {
    const group = alone.test(file) ? undefined : groups.find(({ has }) => has.test(file))
    // Dealt one by one: neighbours often are as heavy as each other.
    const name = group === undefined ? file : `${group.name}-${(at % group.processes) + 1}`
    processes.set(name, [...(processes.get(name) ?? []), file])
  }
  const place = mkdtempSync(join(folder, '.together-'))
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
  return [...processes].map(([name, each]) => {
    if (each.length === 1) return join(folder, each[0])
    const path = join(place, `${name}.mjs`)
    writeFileSync(path, suites(each.map((file) => relative(place, join(folder, file)))))
    return path
  })
}

const suites = (files) => `import { suite } from 'node:test'
for (const file of ${JSON.stringify(files, null, 2)})
  await suite(file, async () => {
    await import(new URL(file, import.meta.url).href)
  })
`
