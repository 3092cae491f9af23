// `npm test -- --watch pattern…`: runs the tests, and again whenever a source has changed.
import { spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Editors write a file in several steps. */
const settledMs = 100

const run = fileURLToPath(new URL('test.mjs', import.meta.url))

export async function watchTests(patterns) {
  let changed = () => undefined
  for (const folder of ['src', 'test', 'bench', 'scripts', 'docs', 'examples'])
    watch(folder, { recursive: true }, () => changed())
  for (;;) {
    const change = new Promise((resolve) => {
      changed = resolve
    })
    spawnSync(process.execPath, [run, ...patterns], { stdio: 'inherit' })
    console.error('openperp: waiting for a change; Ctrl+C ends …')
    await change
    await new Promise((resolve) => setTimeout(resolve, settledMs))
  }
}
