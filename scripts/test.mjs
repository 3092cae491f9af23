// `npm test [-- pattern…]`: set-up, types of the zones with their own tsconfig, then node's runner on the build.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { ready } from './ready.mjs'
ready()
const step = (args) => { const r = spawnSync(process.execPath, args, { stdio: 'inherit' }); if (r.status !== 0) process.exit(r.status ?? 1) }
for (const zone of ['src/core']) step(['node_modules/typescript/bin/tsc', '-p', zone])
const wanted = process.argv.slice(2)
const files = readdirSync('dist', { recursive: true }).filter((f) => f.endsWith('.test.js')).sort()
  .filter((f) => wanted.length === 0 || wanted.some((w) => f.includes(w))).map((f) => 'dist/' + f)
step(['--enable-source-maps', '--test', '--test-reporter=spec', ...files])
