// Test files that share a process. Starting a process and loading an exchange into it takes longer
// than most test files, and Node's runner starts one for each. Here a file is a suite: its hooks
// run when its own tests begin and end, and the next file is loaded after them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Which files run in how many processes; each has at most a minute of work. The longest come
 *  first, so that in the end no core waits for one of them. */
const shared = [
  { name: 'browser', has: /^test\/browser\//, processes: 5 },
  {
    name: 'nodes',
    has: /^test\/cluster\/(?!chain|lost-frames|store-faults|writers)/,
    processes: 5,
  },
  { name: 'history', has: /^src\/projections\//, processes: 2 },
  { name: 'explained', has: /^test\/cli\/(explain|online)/, processes: 2 },
  { name: 'ccxt', has: /^test\/ccxt\//, processes: 1 },
  { name: 'clients', has: /^test\/(client|compat|embed|keys|money|streams)\//, processes: 3 },
  { name: 'operated', has: /^test\/(admin|deploy|history|operating|watching)\//, processes: 2 },
  { name: 'sources', has: /^src\/(?!core|units)/, processes: 2 },
  { name: 'rules', has: /^test\/(assertions|properties|replay|twin)\//, processes: 3 },
  { name: 'core', has: /^src\//, processes: 1 },
  { name: 'scenarios', has: /^test\/scenarios\//, processes: 1 },
  { name: 'contract', has: /^test\/contract\//, processes: 2 },
  { name: 'commands', has: /^test\/(cli|sources)\//, processes: 2 },
  { name: 'hostile', has: /^test\/hostile\//, processes: 1 },
  { name: 'house', has: /^test\/(support\/|tidy|signing)/, processes: 1 },
]
/** They measure or change their process, or are long. */
const alone = new RegExp(
  `^test/(${[
    'cli/(explain-random|help|npx)',
    'embed/examples',
    'hostile/adversary',
    'money/treasury',
    'properties/as-of',
    'streams/floods',
    'watching/traces',
  ].join('|')})`,
)

/** What the runner is to be given for these files of a folder: those that stay alone, and one more
 *  for each process that others share. Those are written into the folder, and gone in the end. */
export function together(folder, files, groups = shared) {
  const groupOf = (file) =>
    alone.test(file) ? undefined : groups.find(({ has }) => has.test(file))
  const processes = files
    .filter((file) => groupOf(file) === undefined)
    .map((file) => [file, [file]])
  for (const group of groups) {
    const mine = files.filter((file) => groupOf(file) === group)
    // Dealt one by one: neighbours often are as heavy as each other.
    for (let at = 0; at < Math.min(group.processes, mine.length); at++)
      processes.push([
        `${group.name}-${at + 1}`,
        mine.filter((_, index) => index % group.processes === at),
      ])
  }
  const place = mkdtempSync(join(folder, '.together-'))
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
  return processes.map(([name, each]) => {
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
