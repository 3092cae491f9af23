// Writers lead on three databases while they suffer, one after the other, every failure that the
// store promises to survive. After each failure the writers must recover; in the end the chain is
// read from its beginning and checked.

import { setTimeout as wait } from 'node:timers/promises'
import { Random } from '../../programs/differential/random.ts'
import { until } from '../http/held-sockets.ts'
import { openStore, wholeChain } from './chain.ts'
import { ChainWriters } from './chain-writers.ts'
import { Databases } from './databases.ts'
import { Wire } from './wire.ts'

const leaseMs = 700
const names = ['left', 'right'] as const
/** The number of texts that must be acknowledged after a blow. */
const progress = 5
const progressMsMax = 180_000

/** What a blow may be dealt to. */
type Scene = Readonly<{
  databases: Databases
  writers: ChainWriters
  random: Random
  /** Of each writer, to each of the databases. */
  wires: ReadonlyMap<string, readonly Wire[]>
}>

type Blow = (scene: Scene) => Promise<void>

/** Either within the lease, or beyond it. */
const moment = (random: Random) => wait(random.between(20, leaseMs * 2))

/** Waits for the first leader: until then there is none to strike. */
async function leaderOf({ writers }: Scene): Promise<string> {
  await until(() => writers.leader !== null)
  return writers.leader!
}

async function killLeader(scene: Scene): Promise<void> {
  const leader = await leaderOf(scene)
  await scene.writers.kill(leader)
  scene.writers.start(leader)
}

async function pauseLeader(scene: Scene): Promise<void> {
  const leader = await leaderOf(scene)
  scene.writers.signal(leader, 'SIGSTOP')
  await moment(scene.random)
  scene.writers.signal(leader, 'SIGCONT')
}

async function killPrimary({ databases }: Scene): Promise<void> {
  const old = databases.primary
  await old.kill()
  await databases.failOver()
  await databases.rejoin(old)
  await databases.joined()
}

/** It is asleep while another is promoted, and wakes up to find that out. */
async function passByPrimary({ databases, random }: Scene): Promise<void> {
  const old = databases.primary
  old.pause()
  await databases.failOver()
  old.wake()
  await moment(random)
  await databases.rejoin(old)
  await databases.joined()
}

async function pausePrimary({ databases, random }: Scene): Promise<void> {
  databases.primary.pause()
  await moment(random)
  databases.primary.wake()
}

async function pauseStandbys({ databases, random }: Scene): Promise<void> {
  for (const standby of databases.standbys) standby.pause()
  await moment(random)
  for (const standby of databases.standbys) standby.wake()
}

async function killStandby({ databases, random }: Scene): Promise<void> {
  const standby = random.pick(databases.standbys)
  await standby.kill()
  await standby.start()
}

async function cutLeader(scene: Scene): Promise<void> {
  const wires = scene.wires.get(await leaderOf(scene))!
  const directions = scene.random.pick([['there'], ['back'], ['there', 'back']] as const)
  for (const wire of wires) wire.cut(...directions)
  await moment(scene.random)
  for (const wire of wires) wire.heal()
}

async function slowLeader(scene: Scene): Promise<void> {
  const wires = scene.wires.get(await leaderOf(scene))!
  for (const wire of wires) wire.slow(scene.random.between(5, 60))
  await moment(scene.random)
  for (const wire of wires) wire.heal()
}

async function resetLeader(scene: Scene): Promise<void> {
  for (const wire of scene.wires.get(await leaderOf(scene))!) wire.reset()
}

async function cutReplication({ databases, random }: Scene): Promise<void> {
  const wire = databases.wireOf(databases.primary)
  wire.cut(...random.pick([['there'], ['back'], ['there', 'back']] as const))
  await moment(random)
  wire.heal()
}

async function cancelCommit({ databases, random }: Scene): Promise<void> {
  const stop = random.pick(['pg_cancel_backend', 'pg_terminate_backend'])
  for (const standby of databases.standbys) standby.pause()
  await wait(random.between(0, 100))
  await databases.primary.query(
    `SELECT ${stop}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  )
  for (const standby of databases.standbys) standby.wake()
}

export const blows = {
  killLeader,
  killPrimary,
  pauseLeader,
  cutLeader,
  cancelCommit,
  passByPrimary,
  pausePrimary,
  pauseStandbys,
  killStandby,
  slowLeader,
  resetLeader,
  cutReplication,
} as const satisfies Record<string, Blow>

export type BlowName = keyof typeof blows

export type ChainReport = Readonly<{
  frames: number
  acknowledged: number
  /** From a blow to the first acknowledgement of the next leadership, in milliseconds. */
  recoveries: Readonly<Partial<Record<BlowName, readonly number[]>>>
  endings: Readonly<Record<string, number>>
}>

export type ChainRounds = Readonly<{
  /** In this order. */
  rounds: readonly BlowName[]
  seed: number
  say?: (text: string) => void
}>

export async function runChainRounds({ rounds, seed, say }: ChainRounds): Promise<ChainReport> {
  const databases = await Databases.start()
  await databases.putWires()
  const writers = new ChainWriters(leaseMs)
  const wires = new Map<string, readonly Wire[]>()
  for (const name of names) {
    const own = await Promise.all(databases.all.map(({ socket }) => Wire.to(socket)))
    wires.set(name, own)
    const hosts = own.map(({ port }) => `127.0.0.1:${port}`).join(',')
    writers.start(name, `postgres://openperp@${hosts}/postgres`)
  }
  const scene = { databases, writers, wires, random: new Random(seed) }
  const recoveries: Partial<Record<BlowName, number[]>> = {}
  const moving = async (from = writers.acknowledged) =>
    until(() => writers.acknowledged >= from + progress, progressMsMax)
  try {
    await moving()
    for (const [n, name] of rounds.entries()) {
      const began = process.hrtime.bigint()
      await blows[name](scene)
      await moving()
      const ms = writers.backAfter(began)
      if (ms !== null) recoveries[name] = [...(recoveries[name] ?? []), ms]
      const how = ms === null ? 'no other writer led' : `another led after ${ms} ms`
      say?.(`${n + 1} ${name}: ${how}, ${writers.acknowledged} acknowledged`)
    }
    await writers.close()
    const store = await openStore(databases.url())
    const frames = await wholeChain(store)
    store.close()
    writers.check(frames)
    const { acknowledged, endings } = writers
    return { frames: frames.length, acknowledged, recoveries, endings }
  } finally {
    await writers.close()
    for (const wire of [...wires.values()].flat()) wire.close()
    await databases.close()
  }
}
