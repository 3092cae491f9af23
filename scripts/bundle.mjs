// Makes the two bundles of the build. The terminal's: one script, one style sheet and one page in
// dist/web, with names made of their content, so that browsers may keep them for ever, and each
// with its compressed twin. And the schema library, at the place of our module that exports it.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'src', 'web')
const out = join(root, 'dist', 'web')

const license = readFileSync(join(root, 'node_modules', 'typebox', 'license'), 'utf8')
await build({
  entryPoints: [join(root, 'src', 'protocol', 'schemas', 'typebox.ts')],
  outfile: join(root, 'dist', 'src', 'protocol', 'schemas', 'typebox.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  banner: { js: `/*\n${license.trim()}\n*/` },
  logLevel: 'warning',
})

const { outputFiles } = await build({
  entryPoints: { app: join(web, 'main.tsx'), style: join(web, 'styles', 'style.css') },
  outdir: out,
  bundle: true,
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

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

function keep(name, content) {
  writeFileSync(join(out, name), content)
  writeFileSync(join(out, `${name}.gz`), gzipSync(content, { level: 9 }))
}

let page = readFileSync(join(web, 'index.html'), 'utf8')
for (const { path, contents } of outputFiles) {
  const [, stem, ending] = /([a-z]+)\.(js|css)$/.exec(path)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
  keep(`${stem}-${hash}.${ending}`, contents)
  page = page.replace(`${stem}.${ending}`, `assets/${stem}-${hash}.${ending}`)
}
keep('index.html', page)
keep('icon.svg', readFileSync(join(web, 'icon.svg')))
