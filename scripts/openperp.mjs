#!/usr/bin/env node
// `npx openperp …`: set-up as `npm start` does it, then the command line.
import { ready } from './ready.mjs'

process.setSourceMapsEnabled(true)
ready()
await import('../dist/src/main/openperp.js')
