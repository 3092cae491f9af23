// `npm run bench:engine` and friends: set-up, then one built program with the flags that follow.
import { ready } from './ready.mjs'

process.setSourceMapsEnabled(true)
ready()
const [program, ...flags] = process.argv.slice(2)
process.argv.splice(2, process.argv.length, ...flags)
await import(`../dist/${program}.js`)
