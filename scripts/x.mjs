// `npm run x`: lists the programs of programs.mjs. `npm run x torture/cluster -- --rounds 2`: sets
// the clone up and runs one of them with these options. `npm run bench` is bench/all.
import { nearNames, programs } from './programs.mjs'
import { ready } from './ready.mjs'

const [name, ...args] = process.argv.slice(2).filter((arg, at) => arg !== '--' || at > 0)

function list() {
  const wide = Math.max(...[...programs.keys()].map((each) => each.length))
  for (const [each, { about }] of programs) console.log(`${each.padEnd(wide)}  ${about}`)
  console.log('\nnpm run x <name> -- --help lists the options of a program')
}

if (name === undefined || name === '--help' || name === '-h') list()
else {
  process.setSourceMapsEnabled(true)
  ready()
  const program = programs.get(name)
  if (program === undefined) {
    const { nearWord } = await import('../dist/src/cli/frame/near-word.js')
    const near = nearNames(name, nearWord)
    const meant = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`
    console.error(`openperp: there is no program ${name}${meant}`)
    console.error('all programs: npm run x')
    process.exit(2)
  }
  process.argv.splice(2, process.argv.length, ...args)
  await import(`../dist/${program.module}.js`)
}
