// Makes a clone ready to run: dependencies as the lock says, and a build newer than every source.
// Plain JavaScript without dependencies, because it runs before anything is installed or built.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

const hashOf = (...texts) => {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex')
}

/** A line for each file of the build that fits. */
function stampOf(folders, fits = () => true) {
  const lines = folders.flatMap((folder) =>
    namesUnder(folder).map((name) => {
      const s = statSync(at(folder, name))
      return s.isFile() && fits(name) ? `${folder}/${name} ${s.size} ${s.mtimeMs}\n` : ''
    }),
  )
  return hashOf(...lines, read(at('tsconfig.json')), read(at('package.json')))
}

const sourcesStamp = () => stampOf(['src', 'test', 'bench', 'scripts'])
/** What bundles and declarations are made of. */
const bundledStamp = () => stampOf(['src', 'bench', 'scripts'], (name) => !name.includes('.test.'))

/** Compiles what has changed. `dist/.compiled` keeps the settings and the names of all modules. */
function compile(settings) {
  const modules = ['src', 'test', 'bench'].flatMap((folder) =>
    namesUnder(folder)
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name.replace(/\.tsx?$/, ''))),
  )
  const [before, ...made] = read(at('dist', '.compiled')).split('\n')
  if (before !== settings) rmSync(at('dist'), { recursive: true, force: true })
  // A deleted test must not live on in dist.
  for (const gone of made.filter((name) => !modules.includes(name)))
    for (const ending of ['.js', '.js.map', '.d.ts'])
      rmSync(at('dist', gone + ending), { force: true })
  // Written first, so that the output of a compiler that failed is known, too.
  mkdirSync(at('dist'), { recursive: true })
  writeFileSync(at('dist', '.compiled'), [settings, ...modules].join('\n'))
  // By default four threads compile, and each computes again the types that they share.
  const info = at('dist', '.tsbuildinfo')
  const flags = ['-p', '.', '--checkers', '2', '--incremental', '--tsBuildInfoFile', info]
  run('building', at('node_modules', '.bin', 'tsc'), flags)
}

/** Bundles and declarations; not when only tests have changed. */
function bundle() {
  const stamp = bundledStamp()
  if (read(at('dist', '.bundled')) === stamp) return
  rmSync(at('dist', '.bundled'), { force: true })
  run('bundling', process.execPath, [at('scripts', 'bundle.mjs')])
  const declare = ['dist', 'src', 'main', 'declarations', 'write-declarations.js']
  run('declaring', process.execPath, [at(...declare)])
  writeFileSync(at('dist', '.bundled'), stamp)
}

export function ready() {
  const deps = hashOf(read(at('package-lock.json')), `${process.platform} ${process.arch}`)
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
    rmSync(at('dist', '.ready'), { force: true })
    compile(hashOf(deps, read(at('tsconfig.json')), read(at('scripts', 'ready.mjs'))))
    bundle()
    writeFileSync(at('dist', '.ready'), stamp)
  })
}
if (process.argv[1] === fileURLToPath(import.meta.url)) ready()
