// Checks every file of deploy/ with the program that it is written for. Programs that are not
// installed are skipped and named.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvFile } from './env-file.ts'

export type Checked = Readonly<{
  what: string
  /** Null: the program is not there. */
  isGood: boolean | null
  said: string
}>

type Ran = Readonly<{ code: number | null; said: string; isThere: boolean }>

export function run(command: readonly string[], folder: string, environment: object = {}): Ran {
  const [program, ...args] = command as [string, ...string[]]
  const env = { ...process.env, ...environment }
  const ran = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 })
  const isThere = (ran.error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT'
  return { code: ran.status, said: `${ran.stdout ?? ''}${ran.stderr ?? ''}`.trim(), isThere }
}

export const checked = (what: string, { code, said, isThere }: Ran): Checked => ({
  what,
  isGood: isThere ? code === 0 : null,
  said: code === 0 ? '' : said,
})

const asEnvironment = (path: string) =>
  Object.fromEntries(readEnvFile(path).map(({ name, value }) => [name, value]))

/** `cluster` is deploy/cluster, `package` where this clone is, `scratch` an empty folder. */
export function checkFiles(cluster: string, clone: string, scratch: string): readonly Checked[] {
  return [
    ...checkCaddyfile(cluster),
    checkUnits(cluster, clone, scratch),
    ...checkCompose(cluster),
    checked('sh -n database.sh', run(['sh', '-n', 'database.sh'], cluster)),
    checked('shellcheck database.sh', run(['shellcheck', 'database.sh'], cluster)),
    checkPasswords(cluster, scratch),
  ]
}

export function checkCaddyfile(cluster: string): readonly Checked[] {
  const environment = asEnvironment(join(cluster, 'env/caddy.env'))
  const config = ['--config', 'Caddyfile', '--adapter', 'caddyfile']
  const caddy = (...args: readonly string[]) =>
    run(['caddy', ...args], cluster, { ...environment, SITE_TLS: 'internal' })
  const formatted = caddy('fmt', 'Caddyfile')
  const isSame = formatted.said === readFileSync(join(cluster, 'Caddyfile'), 'utf8').trim()
  return [
    checked('caddy adapt Caddyfile', caddy('adapt', ...config)),
    checked('caddy validate Caddyfile', caddy('validate', ...config)),
    checked('caddy fmt Caddyfile', { ...formatted, code: isSame ? 0 : 1 }),
  ]
}

/** Where a machine has the package and Node there is nothing here: this clone's stand for them. */
export function unitsHere(from: string, clone: string, to: string): readonly string[] {
  cpSync(from, to, { recursive: true })
  const units = readdirSync(to).filter((name) => /\.(?:service|timer)$/.test(name))
  for (const name of units) {
    const text = readFileSync(join(to, name), 'utf8')
    const here = text
      .replaceAll('/opt/openperp/node_modules/openperp', clone)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/usr/bin/pg_autoctl', '/bin/true')
    writeFileSync(join(to, name), here)
  }
  // A drop-in is verified with the unit that it belongs to.
  writeFileSync(join(to, 'caddy.service'), '[Service]\nExecStart=/bin/true\n')
  return [...units, 'caddy.service']
}

export function verifyUnits(folder: string, names: readonly string[]): Checked {
  const paths = names.map((name) => join(folder, name))
  return checked(
    'systemd-analyze verify systemd/*',
    run(['systemd-analyze', 'verify', '--man=no', ...paths], folder),
  )
}

function checkUnits(cluster: string, clone: string, scratch: string): Checked {
  const folder = join(scratch, 'units')
  const units = unitsHere(join(cluster, 'systemd'), clone, folder)
  // Of a template an instance is verified.
  cpSync(join(folder, 'openperp@.service'), join(folder, 'openperp@trade.service'))
  const named = [...units.filter((name) => !name.includes('@')), 'openperp@trade.service']
  return verifyUnits(folder, named)
}

/** The passwords as they are shipped, which are public. */
function checkPasswords(cluster: string, scratch: string): Checked {
  const shipped = asEnvironment(join(cluster, 'env/database.env'))
  const environment = { ...shipped, MONITOR_FOLDER: join(scratch, 'monitor') }
  const ran = run(['sh', 'database.sh', 'monitor'], cluster, environment)
  const isRefused = ran.code === 2 && ran.said.includes('still CHANGE-ME')
  return checked('database.sh refuses passwords as they are shipped', {
    ...ran,
    code: isRefused ? 0 : 1,
  })
}

const profiles = 'monitor,database,trade,read,proxy'

function checkCompose(cluster: string): readonly Checked[] {
  const environment = { MACHINE: 'a', COMPOSE_PROFILES: profiles }
  return ['compose.yaml', 'compose.managed.yaml'].map((file) =>
    composeConfig(cluster, file, environment),
  )
}

export function composeConfig(folder: string, file: string, environment: object): Checked {
  const hasPlugin = run(['docker', 'compose', 'version'], folder).code === 0
  const compose = hasPlugin ? ['docker', 'compose'] : ['docker-compose']
  const ran = run([...compose, '-f', file, 'config'], folder, environment)
  return checked(`${compose.join(' ')} -f ${file} config`, ran)
}

/** A copy that another user may read, next to an empty folder. */
export function copyOf(cluster: string, to: string): string {
  mkdirSync(to, { recursive: true })
  cpSync(cluster, to, { recursive: true })
  return to
}
