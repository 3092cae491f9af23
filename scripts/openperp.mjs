#!/usr/bin/env node
// `npx openperp …`: the command line. A clone sets itself up first, as `npm start` does; an
// installed package is built already, has no set-up in it, and never installs or builds.
import { existsSync } from 'node:fs'

process.setSourceMapsEnabled(true)
const setUp = new URL('ready.mjs', import.meta.url)
if (existsSync(setUp)) {
  const { ready } = await import(setUp)
  ready()
}
await import('../dist/src/main/openperp.js')
