// What keeps a commit from being released.

import assert from 'node:assert/strict'
import { test } from 'node:test'

type Fields = Readonly<Record<string, unknown>>
type Release = Readonly<{
  changesOf(changelog: string, version: string): string | null
  releaseFaults(parts: Fields): readonly string[]
}>
const program = new URL('../../../scripts/release.mjs', import.meta.url).href
const { changesOf, releaseFaults }: Release = await import(program)

const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n### Traders\n\n- One change.\n'
const address = { repository: { type: 'git', url: 'git+https://host/x.git' }, bugs: 'b' }
const needed = [
  ...['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/src/client/index.js'],
  ...['dist/src/client/index.d.ts', 'dist/src/embed/embed.js', 'dist/web/index.html'],
  'scripts/openperp.mjs',
]
const ready = {
  manifest: { version: '1.2.3', homepage: 'h', ...address },
  tag: 'v1.2.3',
  changelog,
  tarball: { files: needed.map((path) => ({ path })), unpackedSize: 10_000_000 },
  changedFiles: [],
}
const faultsOf = (change: Fields) => releaseFaults({ ...ready, ...change })

test('a commit with version, changelog, address and a whole package can be released', () => {
  assert.deepEqual(faultsOf({}), [])
  assert.deepEqual(faultsOf({ tag: undefined }), [])
})

test('each thing that is missing or wrong is named', () => {
  const cases: readonly (readonly [Fields, RegExp])[] = [
    [{ tag: 'v1.2.4' }, /^tag v1\.2\.4 is not v1\.2\.3/],
    [
      { manifest: { ...ready.manifest, version: '1.2' }, tag: 'v1.2' },
      /^version 1\.2 is not x\.y\.z/,
    ],
    [{ manifest: { ...ready.manifest, homepage: undefined } }, /^package\.json has no homepage/],
    [{ changelog: '# Changelog\n\n## 1.2.2\n\n- Before.\n' }, /has no heading "## 1\.2\.3"/],
    [{ changelog: '## 1.2.3\n\n## 1.2.2\n\n- Before.\n' }, /says nothing of 1\.2\.3/],
    [{ changelog: changelog.replace('Unreleased\n', 'Unreleased\n\n- New.\n') }, /"Unreleased"/],
    [{ tarball: { ...ready.tarball, files: [] } }, /^the package lacks CHANGELOG\.md/],
    [{ tarball: { ...ready.tarball, unpackedSize: 50_000_000 } }, /unpacks to 50000000 bytes/],
    [{ changedFiles: [' M README.md'] }, /^not committed: {2}M README\.md/],
  ]
  for (const [change, named] of cases) assert.match(faultsOf(change)[0] ?? 'no fault', named)
})

test('the changes of a version end where the next heading begins', () => {
  assert.equal(changesOf(changelog, '1.2.3'), '### Traders\n\n- One change.')
  assert.equal(changesOf(changelog, 'Unreleased'), '')
  assert.equal(changesOf(changelog, '1.2'), null)
  assert.equal(changesOf('## [1.2.3] - 2026-01-02\n\nText.\n', '1.2.3'), 'Text.')
})
