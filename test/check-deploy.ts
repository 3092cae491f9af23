// `npm run check:deploy`: every file of deploy/ by the program it is for; then, where
// pg_auto_failover and Caddy are installed and we may run PostgreSQL, all of it on this machine
// with a leader and a database killed (two minutes). `--files` stops before that. What is not there
// is left out, and said.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkFiles, copyOf } from './support/deploy/checkers.ts'
import { databaseUser } from './support/deploy/loopback-databases.ts'
import { checkVenue } from './support/deploy/venue-checkers.ts'
import { walk } from './support/deploy/walk.ts'
import { checkWatching } from './support/deploy/watching-checkers.ts'

const clone = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const cluster = join(clone, 'deploy/cluster')
const scratch = mkdtempSync(join(tmpdir(), 'openperp-deploy-'))
const isThere = (program: string) => spawnSync(program, ['--help']).error === undefined

let failed = false
const files = [
  ...checkFiles(cluster, clone, scratch),
  ...checkVenue(join(clone, 'deploy/venue'), clone, scratch),
  ...checkWatching(join(clone, 'deploy/watching'), scratch),
]
for (const { what, isGood, said } of files) {
  failed ||= isGood === false
  console.log(`${isGood === null ? 'not installed' : isGood ? 'good' : 'BAD'}  ${what}`)
  if (said !== '') console.log(said)
}

function reasonNotToRun(): string | null {
  if (process.argv.includes('--files')) return 'only the files were asked for'
  const missing = ['pg_autoctl', 'caddy', 'openssl'].filter((program) => !isThere(program))
  if (missing.length > 0)
    return `${missing.join(', ')} not installed (Debian: pg-auto-failover-cli, caddy, openssl)`
  return databaseUser() === null ? 'PostgreSQL runs as root or postgres only here' : null
}

const reason = failed ? 'files are not right' : reasonNotToRun()
if (reason !== null) console.log(`not run: ${reason}`)
else {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-walk-'))
  console.log(`running in ${folder}, which has the logs`)
  const user = databaseUser()!
  await walk({
    cluster: copyOf(cluster, join(folder, 'deploy')),
    folder,
    user,
    say: (text) => console.log(text),
  })
  rmSync(folder, { recursive: true, force: true })
}
rmSync(scratch, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
