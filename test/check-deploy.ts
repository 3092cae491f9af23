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
import { flag } from './support/program/options.ts'
import { programOptions } from './support/program/program.ts'

const { files: onlyFiles } = programOptions({
  name: 'check-deploy',
  about:
    'Checks every file of deploy/ with the program it is written for. Then, if pg_auto_failover ' +
    'and Caddy are installed and PostgreSQL may run here, runs all of it on this machine and ' +
    'kills a leader and a database (two minutes). Programs that are not installed are named and ' +
    'skipped.',
  options: { files: flag('check the files only') },
})

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
  if (onlyFiles) return '--files checks the files only'
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
