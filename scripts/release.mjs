// `npm run release [-- --dry-run] [--tag v1.2.3]`: checks that this commit can be released, and
// tags it. With --dry-run nothing is tagged. RELEASING.md describes the whole release.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const unpackedMax = 32 * 1024 * 1024
const required = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist/src/client/index.js',
  'dist/src/client/index.d.ts',
  'dist/src/embed/embed.js',
  'dist/web/index.html',
  'scripts/openperp.mjs',
]

/** Text under the heading of the version, without it; null: there is no such heading. */
export function changesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version)
  return section === undefined ? null : section.slice(section.indexOf('\n') + 1).trim()
}

/** Why it cannot be released. `tarball` is what `npm pack --json` says of it. */
export function releaseFaults({ manifest, tag, changelog, tarball, changedFiles }) {
  const { version, repository, bugs, homepage } = manifest
  const faults = []
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) faults.push(`version ${version} is not x.y.z`)
  if (tag !== undefined && tag !== `v${version}`)
    faults.push(`tag ${tag} is not v${version}, the version of package.json`)
  const changes = changesOf(changelog, version)
  if (changes === null) faults.push(`CHANGELOG.md has no heading "## ${version}"`)
  if (changes === '') faults.push(`CHANGELOG.md says nothing of ${version}`)
  if (changesOf(changelog, 'Unreleased'))
    faults.push(`CHANGELOG.md has entries under "Unreleased": move them to ${version}`)
  for (const [name, value] of Object.entries({ repository, bugs, homepage }))
    if (value === undefined) faults.push(`package.json has no ${name}`)
  const packed = new Set(tarball.files.map(({ path }) => path))
  for (const path of required) if (!packed.has(path)) faults.push(`the package lacks ${path}`)
  if (tarball.unpackedSize > unpackedMax)
    faults.push(`the package unpacks to ${tarball.unpackedSize} bytes; maximum: ${unpackedMax}`)
  if (changedFiles.length > 0) faults.push(`not committed: ${changedFiles.join(', ')}`)
  return faults
}

function output(command, args) {
  const shell = process.platform === 'win32'
  const done = spawnSync(command, args, { encoding: 'utf8', shell, maxBuffer: 64 * 1024 * 1024 })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} ${args.join(' ')}: ${done.error?.message ?? done.stderr}`)
}

function given(options) {
  try {
    return parseArgs({ options })
  } catch ({ message }) {
    console.error(`openperp: ${message}; usage: npm run release -- [--dry-run] [--tag v1.2.3]`)
    process.exit(2)
  }
}

function main() {
  const options = { 'dry-run': { type: 'boolean' }, tag: { type: 'string' } }
  const { values } = given(options)
  process.chdir(fileURLToPath(new URL('..', import.meta.url)))
  // The generated pages have to be those of this commit: a difference shows as a changed file.
  output('npm', ['run', 'docs'])
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const [tarball] = JSON.parse(output('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']))
  const faults = releaseFaults({
    manifest,
    tag: values.tag,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    tarball,
    changedFiles: output('git', ['status', '--porcelain']).split('\n').filter(Boolean),
  })
  const megabytes = (tarball.unpackedSize / 1024 / 1024).toFixed(1)
  console.log(`${tarball.filename}: ${tarball.files.length} files, ${megabytes} MB unpacked`)
  for (const fault of faults) console.error(`openperp: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
  else if (values['dry-run'] === true) console.log(`v${manifest.version} can be released`)
  else {
    output('git', ['tag', '--annotate', `v${manifest.version}`, '-m', `v${manifest.version}`])
    console.log(
      `tagged v${manifest.version}; publish it with: git push origin v${manifest.version}`,
    )
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
