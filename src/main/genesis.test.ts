import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'
import { openDataFolder } from '../sequencer/data-folder.ts'
import { genesisOf, requireClockOf, requireForkOf } from './genesis.ts'

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

test('a fork starts as a sandbox of this machine only', async () => {
  const place = mkdtempSync(join(tmpdir(), 'openperp-fork-of-'))
  try {
    const config = (...flags: string[]) => readConfig(['--data', 'fork', ...flags], {}, place)
    const mark = { venue: '1'.repeat(32), seq: 7, atMs: 8, anonymised: false }
    requireForkOf(config('--host', '0.0.0.0'))
    await openDataFolder(join(place, 'fork'), { ...genesisOf(config()), fork: mark })
    requireForkOf(config())
    const refused = (words: RegExp, ...flags: string[]) =>
      assert.throws(
        () => requireForkOf(config(...flags)),
        (error: Error) => error instanceof ConfigError && words.test(error.message),
      )
    const token = ['--admin-tokens', 'ops:0123456789abcdef:read']
    refused(/has a fork of venue 1+: a fork .* never a venue/, '--mode', 'venue', ...token)
    refused(
      /listens on loopback only: host must be 127\.0\.0\.1 or ::1, not 0/,
      '--host',
      '0.0.0.0',
    )
    refused(/loopback only: adminHost must be/, '--admin-host', '10.0.0.1')
    refused(/is one process: without cluster, and with gateways 0/, '--gateways', '2')
  } finally {
    rmSync(place, { recursive: true })
  }
})
