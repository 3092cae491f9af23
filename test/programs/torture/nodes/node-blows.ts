// What happens to a cluster of real nodes while clients trade with it, and what each of it must
// lead to. A blow strikes and looks at what it has to; what it gives back repairs the rest, once
// orders are accepted again.

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../support/http/held-sockets.ts'
import type { Databases } from '../../../support/postgres/databases.ts'
import type { Direction, Wire } from '../../../support/postgres/wire.ts'
import { hang, loopSignal } from '../../../support/running/hanging.ts'
import type { Random } from '../../differential/random.ts'
import { stepClock } from './clock-blow.ts'
import type { Outsider, Unanswered } from './outsider.ts'
import type { TradingNode } from './trading-node.ts'
import type { TradingNodes } from './trading-nodes.ts'

export type NodeScene = Readonly<{
  databases: Databases
  nodes: TradingNodes
  outsider: Outsider
  random: Random
  leaseMs: number
  /** How long a process is stopped. */
  pauseMs: number
  /** Does not wait for the end of a lease whose holder is known to have exited. */
  hurries: boolean
  /** What was acknowledged to clients so far. */
  acknowledged: () => number
  /** Called with the time until another node led, where the old leader has not exited. */
  noteLed: (ms: number) => void
}>

type Repair = () => Promise<void>
type Blow = (scene: NodeScene) => Promise<Repair | undefined>

const directions: readonly (readonly Direction[])[] = [['there'], ['back'], ['there', 'back']]
const nothing = undefined
/** From its last line until the process has exited. */
const endsMs = 5_000

/** Either within the lease, or beyond it. */
const moment = ({ random, leaseMs }: NodeScene) => wait(random.between(20, leaseMs * 2))

async function killLeader(scene: NodeScene) {
  const leader = await scene.nodes.someLeader()
  leader.process.kill('SIGKILL')
  await hurry(scene, leader)
  return nothing
}

/** The leader has exited, and waiting for the end of its lease would show nothing. */
async function hurry({ databases, hurries }: NodeScene, leader: TradingNode): Promise<void> {
  if (!hurries) return
  await leader.process.ended
  await databases.primary.query('UPDATE openperp_lead SET lease_ms = 100')
}

/** Sends requests to the leader and stops it. A leader that ends by itself before that, as on a
 *  machine that stood still for longer than the lease, hangs up; then the next leader gets them. */
async function askLeader(
  { nodes, outsider }: NodeScene,
  stop: (leader: TradingNode) => void | Promise<void>,
): Promise<Readonly<{ leader: TradingNode; sent: Unanswered }>> {
  for (;;) {
    const leader = await nodes.someLeader()
    const { port } = await leader.process.ready
    try {
      return { leader, sent: await outsider.ask(port, () => stop(leader)) }
    } catch (error) {
      await Promise.race([leader.process.ended, wait(endsMs)])
      if (!leader.hasEnded) throw error
      await nodes.inStep(0)
    }
  }
}

/** Stopped beyond the end of its lease, sent requests meanwhile, and woken. */
async function pauseLeader(scene: NodeScene) {
  const { nodes, outsider, pauseMs } = scene
  const { leader, sent } = await askLeader(scene, ({ process }) => process.kill('SIGSTOP'))
  const over = performance.now() + pauseMs
  await anotherLeads(scene, leader)
  await wait(Math.max(0, over - performance.now()))
  leader.process.kill('SIGCONT')
  assert.deepEqual(await leader.process.ended, { code: 1, signal: null })
  await outsider.requireSilence(sent)
  await nodes.ask((api) => outsider.requireUnknown(sent, api))
  return nothing
}

/** Its main thread is in an endless loop, and nothing but the thread that renews its lease can end
 *  it. */
async function hangLeader(scene: NodeScene) {
  const { nodes, outsider } = scene
  const { leader, sent } = await askLeader(scene, ({ process }) => hang(process, loopSignal))
  await anotherLeads(scene, leader)
  assert.deepEqual(await leader.process.ended, { code: null, signal: 'SIGKILL' })
  assert.match(leader.process.errors, /its trading thread hangs; killed/)
  await outsider.requireSilence(sent)
  await nodes.ask((api) => outsider.requireUnknown(sent, api))
  return nothing
}

/** Until another node serves. The time since the old leader stopped is noted. */
async function anotherLeads({ nodes, noteLed }: NodeScene, old: TradingNode): Promise<void> {
  const stoppedAt = performance.now()
  await until(() => nodes.leader !== null && nodes.leader !== old, 60_000)
  noteLed(Math.round(performance.now() - stoppedAt))
}

async function killPrimary(scene: NodeScene) {
  const { databases } = scene
  const leader = await scene.nodes.someLeader()
  const old = databases.primary
  await old.kill()
  await databases.failOver()
  await hurry(scene, leader)
  return async () => {
    await databases.rejoin(old)
    await databases.joined()
  }
}

/** No standby is promoted: the leader has ended before it wakes, and has answered no order. */
async function pausePrimary(scene: NodeScene) {
  const { databases, nodes, outsider, pauseMs } = scene
  const { leader, sent } = await askLeader(scene, () => databases.primary.pause())
  const over = performance.now() + pauseMs
  assert.deepEqual(await leader.process.ended, { code: 1, signal: null })
  await outsider.requireNoOrder(sent)
  await wait(Math.max(0, over - performance.now()))
  assert.equal(nodes.leader, null)
  databases.primary.wake()
  return nothing
}

/** It is asleep while another is promoted, and wakes up to find that out. */
async function passByPrimary(scene: NodeScene) {
  const { databases } = scene
  const old = databases.primary
  old.pause()
  await databases.failOver()
  old.wake()
  await moment(scene)
  return async () => {
    await databases.rejoin(old)
    await databases.joined()
  }
}

/** The first way to lose data: the promoted server waits for no standby. */
async function bareStandby(scene: NodeScene) {
  const { databases } = scene
  const old = databases.primary
  await old.kill()
  await leasesOver(scene)
  for (const standby of databases.standbys) standby.set({ synchronous_standby_names: '' })
  await databases.failOver()
  await refused(scene, /synchronous_standby_names is empty: name the standbys/)
  databases.restoreQuorum()
  return async () => {
    await databases.rejoin(old)
    await databases.joined()
  }
}

/** The second: the third machine still follows the old primary, and acknowledges to it. */
async function leftStandby(scene: NodeScene) {
  const { databases } = scene
  const old = databases.primary
  const [promoted, left] = databases.standbys
  old.pause()
  await leasesOver(scene)
  await promoted!.promote()
  databases.primary = promoted!
  old.wake()
  await refused(
    scene,
    /no standby of ANY 1 .* is connected|no standby has had its log|was promoted in place of/,
  )
  await databases.rejoin(left!)
  return async () => {
    await databases.rejoin(old)
    await databases.joined()
  }
}

/** The present leader, or a new one, learns that its database has failed. */
async function leasesOver({ nodes, leaseMs }: NodeScene): Promise<void> {
  await wait(leaseMs)
  await until(() => nodes.leader === null)
}

/** Every node reports it, and none leads. */
async function refused({ nodes, acknowledged }: NodeScene, why: RegExp): Promise<void> {
  const before = acknowledged()
  await until(() => {
    assert.equal(nodes.leader?.name ?? null, null, 'a node leads')
    return nodes.all.every((node) => node.hasEnded || why.test(node.process.errors))
  }, 60_000).catch((error) => {
    const said = nodes.all.map(({ name, process }) => `${name}: ${process.errors}`)
    throw new Error([error, ...said].join('\n'))
  })
  assert.equal(acknowledged(), before)
}

/** The third: a commit stops waiting for its standby. */
async function cancelCommit({ databases, nodes }: NodeScene) {
  const leader = await nodes.someLeader()
  for (const standby of databases.standbys) standby.pause()
  try {
    await until(async () => {
      const cancelled = await databases.primary.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO openperp_frame%'`,
      )
      return cancelled.length > 0 || leader.hasEnded
    })
    assert.deepEqual(await leader.process.ended, { code: 1, signal: null })
  } finally {
    for (const standby of databases.standbys) standby.wake()
  }
  assert.match(leader.process.errors, /canceling wait for synchronous replication/)
  return nothing
}

async function slowed(scene: NodeScene, wires: readonly Wire[]) {
  for (const wire of wires) wire.slow(scene.random.between(5, 60))
  await moment(scene)
  for (const wire of wires) wire.heal()
  return nothing
}

async function cut(scene: NodeScene, wires: readonly Wire[]) {
  const which = scene.random.pick(directions)
  for (const wire of wires) wire.cut(...which)
  await moment(scene)
  for (const wire of wires) wire.heal()
  return nothing
}

async function reset(wires: readonly Wire[]) {
  for (const wire of wires) wire.reset()
  return nothing
}

const nodeWires = async ({ nodes }: NodeScene) => (await nodes.someLeader()).wires
const clientWire = async ({ nodes }: NodeScene) => [(await nodes.someLeader()).front!]

export const nodeBlows = {
  killLeader,
  killPrimary,
  pauseLeader,
  hangLeader,
  pausePrimary,
  passByPrimary,
  bareStandby,
  leftStandby,
  cancelCommit,
  stepClock,
  slowNode: async (scene) => slowed(scene, await nodeWires(scene)),
  cutNode: async (scene) => cut(scene, await nodeWires(scene)),
  resetNode: async (scene) => reset(await nodeWires(scene)),
  slowClient: async (scene) => slowed(scene, await clientWire(scene)),
  cutClient: async (scene) => cut(scene, await clientWire(scene)),
  resetClient: async (scene) => reset(await clientWire(scene)),
  slowReplication: (scene) => slowed(scene, [scene.databases.wireOf(scene.databases.primary)]),
  cutReplication: (scene) => cut(scene, [scene.databases.wireOf(scene.databases.primary)]),
} as const satisfies Record<string, Blow>

export type NodeBlow = keyof typeof nodeBlows

/** Those that strike a wire, which then has to be there. */
export const wireBlows: ReadonlySet<NodeBlow> = new Set<NodeBlow>([
  'slowNode',
  'cutNode',
  'resetNode',
  'slowReplication',
  'cutReplication',
])

/** Where a standby is promoted without a majority, pending frames may go in and be undone: they
 *  were not acknowledged, but followers may have them. */
export const rebuildingBlows: ReadonlySet<NodeBlow> = new Set<NodeBlow>(['leftStandby'])
