import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'
import { openDataFolder } from '../sequencer/data-folder.ts'
import { genesisOf, requireClockOf } from './genesis.ts'

test('a data folder keeps the clock with which it was created', async () => {
  const place = mkdtempSync(join(tmpdir(), 'openperp-clock-'))
  try {
    const config = (data: string, ...flags: string[]) =>
      readConfig(['--data', data, ...flags], {}, place)
    const refused = (data: string, flags: readonly string[], words: RegExp) =>
      assert.throws(
        () => requireClockOf(config(data, ...flags)),
        (error: Error) => error instanceof ConfigError && words.test(error.message),
      )
    const manual = ['--clock', 'manual']
    requireClockOf(config('new', ...manual))
    await openDataFolder(join(place, 'set'), genesisOf(config('set', ...manual)))
    await openDataFolder(join(place, 'passes'), genesisOf(config('passes')))
    for (const flags of [[], manual, [...manual, '--start-at', '2026-01-01']])
      requireClockOf(config('set', ...flags))
    requireClockOf(config('passes', '--clock', 'wall'))
    refused('passes', manual, /passes has one without it\. Start with another folder/)
    refused('set', ['--clock', 'wall'], /set has a sandbox with a manual clock: omit clock wall/)
    const venue = ['--mode', 'venue', '--admin-tokens', 'ops:0123456789abcdef:read']
    refused('set', venue, /set has a sandbox with a manual clock, not a venue/)
    const at = [...manual, '--start-at', '2026-01-02']
    refused('set', at, /startAt is 2026-01-02T.* began at 2026-01-01T.* Omit startAt/)
  } finally {
    rmSync(place, { recursive: true })
  }
})
