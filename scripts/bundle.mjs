// Makes the bundles of the build. Those of the terminal in dist/web and of the operators' console
// in dist/web/console: one script, one style sheet and one page each, with names made of their
// content, so that browsers may keep them for ever, and each with its compressed twin. And packages
// that would be loaded as hundreds of files.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundlePrograms } from './bundle-programs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'src', 'web')
const out = join(root, 'dist', 'web')

/** Packages that our module exports from, as one file at the place of that module. */
async function bundlePackages(...place) {
  const name = place.pop()
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'src', ...place, `${name}.ts`)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    banner: { js: banner.join('\n') },
    external,
    legalComments: 'none',
    logLevel: 'warning',
  })
  const folders = Object.keys(metafile.inputs).map((path) => ownerOf.exec(path)?.[0])
  const licences = [...new Set(folders)].filter(Boolean).sort().map(licenceOf)
  const text = licences.join('\n\n').replaceAll('*/', '* /')
  const file = join(root, 'dist', 'src', ...place, `${name}.js`)
  writeFileSync(file, `${outputFiles[0].text}\n/*\n${text}\n*/\n`)
}

/** Some packages are CommonJS, and require Node's own modules at run time. */
const banner = [
  "import { createRequire } from 'node:module'",
  'const require = createRequire(import.meta.url)',
]
const ownerOf = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
/** Optional packages of the server, for routes with a schema, and of the websocket. */
const external = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'bufferutil',
  'utf-8-validate',
]

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? license : readFileSync(join(root, folder, file), 'utf8')
  return `${name} ${version}\n\n${text.trim()}`
}

await bundlePackages('protocol', 'schemas', 'typebox')
await bundlePackages('gateway', 'packages')

/** A page of src/web, with the icon that all of them have. */
async function bundlePage(from, to) {
  const { outputFiles } = await build({
    entryPoints: { app: join(from, 'main.tsx'), style: join(from, 'styles', 'style.css') },
    outdir: to,
    bundle: true,
    // Parts that the page imports when they are first used.
    splitting: true,
    chunkNames: 'part-[hash]',
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    tsconfig: join(web, 'tsconfig.json'),
    logLevel: 'warning',
  })
  mkdirSync(to, { recursive: true })
  const keep = (name, content) => {
    writeFileSync(join(to, name), content)
    writeFileSync(join(to, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
  let page = readFileSync(join(from, 'index.html'), 'utf8')
  for (const { path, contents } of outputFiles) {
    const name = basename(path)
    if (name.startsWith('part-')) {
      keep(name, contents)
      continue
    }
    const [, stem, ending] = /([a-z]+)\.(js|css)$/.exec(path)
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
    keep(`${stem}-${hash}.${ending}`, contents)
    page = page.replace(`${stem}.${ending}`, `assets/${stem}-${hash}.${ending}`)
  }
  keep('index.html', page)
  keep('icon.svg', readFileSync(join(web, 'icon.svg')))
}

rmSync(out, { recursive: true, force: true })
await bundlePage(web, out)
await bundlePage(join(web, 'console'), join(out, 'console'))
await bundlePrograms(root, 'src', [
  'main',
  'main/openperp',
  'main/gateways/gateway',
  'gateway/auth/verifier-worker',
  'journal/postgres/renewal-worker',
  'projections/explain/thread/explain-worker',
  'projections/history/reader/reader-worker',
  'projections/history/thread/history-worker',
  'sequencer/snapshots/snapshot-worker',
])
await bundlePrograms(root, 'bench', ['engine'])
