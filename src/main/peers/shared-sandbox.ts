// The leader's sandbox, which gateways call remotely.

import type { Sandbox } from '../../gateway/sandbox.ts'
import type { Served } from '../../sequencer/link/calls.ts'
import type { Asking } from '../../sequencer/link/remote-sequencer.ts'

const names = [
  'fund',
  'clock',
  'advance',
  'freeze',
  'resume',
  'setOracle',
  'resumeOracle',
  'snapshot',
  'snapshots',
  'revert',
  'setBots',
  'botsRunning',
  'playScenario',
  'stallFeed',
  'keepStart',
  'reset',
  'progress',
  'hashes',
] as const satisfies readonly (keyof Sandbox)[]

const callOf = (name: string) => `sandbox ${name}`

/** Calls that gateways may make to the sandbox. `settled` resolves when every process of the
 *  exchange has applied all entries so far. */
export function servedSandbox(sandbox: Sandbox, settled: () => Promise<void>): Served {
  const entries = names.map((name) => [
    callOf(name),
    async (...args: never[]) => {
      const done = await (sandbox[name] as (...args: never[]) => unknown)(...args)
      await settled()
      return done
    },
  ])
  return Object.fromEntries(entries) as Served
}

/** The only call to the sandbox that a read node makes itself: its clock, for the time. */
export function servedClock(sandbox: Sandbox): Served {
  return { [callOf('clock')]: () => sandbox.clock() }
}

export function remoteSandbox(calls: Asking): Sandbox {
  const entries = names.map((name) => [
    name,
    (...args: readonly unknown[]) => calls.ask(callOf(name), ...args),
  ])
  return Object.fromEntries(entries) as Sandbox
}
