// deploy/watching by promtool: the configuration with its rules, and the tests of the rules.

import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Checked, checked, run } from './checkers.ts'

export function checkWatching(watching: string, scratch: string): readonly Checked[] {
  const folder = join(scratch, 'watching')
  cpSync(watching, folder, { recursive: true })
  // The operator's; promtool wants it to be there.
  writeFileSync(join(folder, 'metrics-token'), 'a token')
  const promtool = (...args: readonly string[]) =>
    checked(`promtool ${args.join(' ')}`, run(['promtool', ...args], folder))
  return [
    promtool('check', 'config', 'prometheus.yml'),
    promtool('check', 'rules', 'alerts.yml'),
    promtool('test', 'rules', 'alerts.test.yml', 'alerts.days.test.yml'),
  ]
}
