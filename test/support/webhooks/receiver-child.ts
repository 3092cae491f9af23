// The receiver as a process that may be killed: what it applied is a line of a file, synced before
// it answers.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { receiver } from './receiver.ts'

const [file = ''] = process.argv.slice(2)
const known = new Set(
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .map((line) => line.split(' ')[0]),
)
const log = openSync(file, 'a')
process.once('exit', () => closeSync(log))

const { url } = await receiver(({ id, type, reference, withdrawal_id }) => {
  if (known.has(id)) return 200
  writeSync(log, `${id} ${type} ${reference ?? withdrawal_id}\n`)
  fsyncSync(log)
  known.add(id)
  return 200
})
console.log(url)
