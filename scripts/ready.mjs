// Makes a clone ready to run: dependencies as the lock says, and a build newer than every source.
// Plain JavaScript without dependencies, because it runs before anything is installed or built.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locked } from './ready-lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...p) => join(root, ...p)
const read = (p) => {
  try {
    return readFileSync(p, 'utf8')
  } catch {
    return ''
  }
}
const windows = process.platform === 'win32'

function run(title, command, args) {
  console.error(`openperp: ${title} …`)
  // npm's own npm_* variables would make the inner npm think it is part of the outer script.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([k]) => !/^npm_(lifecycle|package|command)/.test(k) && k !== 'NODE_ENV',
    ),
  )
  const done = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2], shell: windows })
  if (done.status !== 0) {
    console.error(
      `openperp: ${title} failed (${done.error?.message ?? done.signal ?? done.status})`,
    )
    process.exit(1)
  }
}

/** Names under a folder of the clone, in one order on every machine; none when it is not there. */
function namesUnder(folder) {
  try {
    return readdirSync(at(folder), { recursive: true }).sort()
  } catch {
    return []
  }
}

function sourcesStamp() {
  const hash = createHash('sha256')
  for (const folder of ['src', 'test', 'bench', 'scripts']) {
    for (const name of namesUnder(folder)) {
      const s = statSync(at(folder, name))
      if (s.isFile()) hash.update(`${folder}/${name} ${s.size} ${s.mtimeMs}\n`)
    }
  }
  return hash
    .update(read(at('tsconfig.json')))
    .update(read(at('package.json')))
    .digest('hex')
}

export function ready() {
  const deps = createHash('sha256')
    .update(read(at('package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
  const fresh = () =>
    read(at('node_modules', '.ready')) === deps && read(at('dist', '.ready')) === sourcesStamp()
  if (fresh()) return
  locked(at('.ready-lock'), () => {
    if (fresh()) return
    if (read(at('node_modules', '.ready')) !== deps) {
      const npm = process.env.npm_execpath
      const args = [
        'ci',
        '--include=dev',
        '--include=optional',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ]
      if (npm) run('installing dependencies', process.execPath, [npm, ...args])
      else run('installing dependencies', 'npm', args)
      writeFileSync(at('node_modules', '.ready'), deps)
    }
    const stamp = sourcesStamp()
    rmSync(at('dist'), { recursive: true, force: true }) // a deleted test must not live on in dist
    const bin = (name) => at('node_modules', '.bin', name)
    // Of its four threads each would work out the types anew that it shares with the others.
    run('building', bin('tsc'), ['-p', '.', '--checkers', '2'])
    run('bundling', process.execPath, [at('scripts', 'bundle.mjs')])
    const declare = ['dist', 'src', 'main', 'declarations', 'write-declarations.js']
    run('declaring', process.execPath, [at(...declare)])
    writeFileSync(at('dist', '.ready'), stamp)
  })
}
if (process.argv[1] === fileURLToPath(import.meta.url)) ready()
