// An exchange goes into a cluster, out of it, and in again, by the real command. The state must
// stay the same. Then commands are killed at random points: the exchange may go on at one place at
// most, and the next run of the same command completes the move.

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadBuild, ownFolder, submitAll } from '../../../bench/paired/build.ts'
import { opening, SignedFlow, START_MS } from '../../../bench/paired/signed-flow.ts'
import { openPostgresStore } from '../../../src/journal/postgres/open-store.ts'
import { readMembership } from '../../../src/sequencer/cluster/membership.ts'
import {
  formatVersion,
  openDataFolder,
  readDataFolder,
} from '../../../src/sequencer/data-folder.ts'
import { openperp } from '../../support/cli/run-openperp.ts'
import { Databases } from '../../support/postgres/databases.ts'
import { type FolderState, stateOf } from '../../support/running/exchange-node.ts'
import { Random } from '../differential/random.ts'
import { type Action, MoveProcess } from './move-process.ts'

export type MoveRounds = Readonly<{
  commands: number
  kills: number
  seed: number
  say: (text: string) => void
}>

export type MoveReport = Readonly<{
  state: FolderState
  /** Commands that ended before they could be killed. */
  missed: number
  ms: Readonly<Record<Action, number>>
}>

const batch = 256
const missedMax = 10
const now = () => performance.now()

export async function runMoves(rounds: MoveRounds): Promise<MoveReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-moves-'))
  const databases = await Databases.start(2)
  try {
    return await new Moves(root, databases, rounds).run()
  } finally {
    await databases.close()
    rmSync(root, { recursive: true, force: true })
  }
}

class Moves {
  private readonly root: string
  private readonly databases: Databases
  private readonly rounds: MoveRounds
  private readonly random: Random
  private missed = 0
  private tries = 0

  constructor(root: string, databases: Databases, rounds: MoveRounds) {
    this.root = root
    this.databases = databases
    this.rounds = rounds
    this.random = new Random(rounds.seed)
  }

  async run(): Promise<MoveReport> {
    const { say, kills } = this.rounds
    const folder = join(this.root, 'data')
    const state = await write(folder, this.rounds.commands)
    say(`written: seq ${state.seq}, state ${state.hash}`)
    const pristine = this.copyOf(folder, 'pristine')
    const url = await this.databases.empty()
    const adopt = await this.move('adopt', folder, url, state)
    // A node without any history, so that the whole chain is read back.
    const out = join(this.root, 'out')
    await openDataFolder(out, readDataFolder(folder).genesis)
    const leave = await this.move('leave', out, url, state)
    await this.move('adopt', out, await this.databases.empty(), state)
    for (let killed = 0; killed < kills; ) {
      const action = killed % 2 === 0 ? 'adopt' : 'leave'
      const msMax = { adopt, leave }[action]
      if (await this.killDuring(action, { pristine, state, msMax })) killed += 1
      else assert.ok(++this.missed < kills + missedMax, 'no command lives long enough to be killed')
    }
    return { state, missed: this.missed, ms: { adopt, leave } }
  }

  private copyOf(folder: string, name: string): string {
    const copy = join(this.root, name)
    cpSync(folder, copy, { recursive: true })
    return copy
  }

  /** Returns how long it took. */
  private async move(action: Action, folder: string, url: string, state: FolderState) {
    const started = now()
    const flags = ['--data', folder, '--cluster', url, '--json']
    const { code, out, err } = await openperp(['cluster', action, ...flags])
    const ms = Math.round(now() - started)
    assert.equal(code, 0, err)
    const { seq, stateHash: hash } = JSON.parse(out)
    assert.deepEqual({ seq, hash }, state)
    assert.deepEqual(await stateOf(folder), state)
    await requireAt(action === 'adopt' ? 'store' : 'folder', { folder, url, state })
    this.rounds.say(`${action}: ${ms} ms`)
    return ms
  }

  /** Returns whether the command was killed before it ended. */
  private async killDuring(action: Action, { pristine, state, msMax }: Kill): Promise<boolean> {
    const n = ++this.tries
    const folder = this.copyOf(pristine, `killed-${n}`)
    const url = await this.databases.empty()
    if (action === 'leave') await this.move('adopt', folder, url, state)
    const process = new MoveProcess(action, folder, url)
    await process.began
    const ms = this.random.between(0, msMax)
    await Promise.race([wait(ms), process.ended])
    process.kill()
    const { code } = await process.ended
    const place = await placeOf(folder, url)
    this.rounds.say(`${action} killed after ${ms} ms: the exchange is in ${place}`)
    assert.notEqual(place, 'both', 'the exchange could go on at two places')
    await requireAt(place, { folder, url, state })
    await this.move(action, folder, url, state)
    rmSync(folder, { recursive: true })
    return code === null
  }
}

type Kill = Readonly<{ pristine: string; state: FolderState; msMax: number }>

async function write(folder: string, commands: number): Promise<FolderState> {
  const clock = { atMs: START_MS }
  const data = await (await loadBuild(ownFolder)).open(folder, clock)
  await submitAll(data, opening(), batch)
  await submitAll(data, new SignedFlow(commands, clock).commands(), batch)
  await data.close()
  return stateOf(folder)
}

type Place = 'folder' | 'store' | 'neither' | 'both'
type Moved = Readonly<{ folder: string; url: string; state: FolderState }>

/** Where a start would go on with the exchange. */
async function placeOf(folder: string, url: string): Promise<Place> {
  const inFolder = existsSync(join(folder, 'genesis.json')) && readMembership(folder) === null
  const inStore = (await storeSeq(folder, url)) !== null
  if (inFolder) return inStore ? 'both' : 'folder'
  return inStore ? 'store' : 'neither'
}

/** Where it can go on, it is complete. */
async function requireAt(place: Place, { folder, url, state }: Moved): Promise<void> {
  assert.equal(await placeOf(folder, url), place)
  if (place === 'folder') assert.deepEqual(await stateOf(folder), state)
  if (place === 'store') assert.equal(await storeSeq(folder, url), state.seq)
}

/** Seq of a store on which nodes may lead; `null` if they may not. */
async function storeSeq(folder: string, url: string): Promise<number | null> {
  const { origin } = readDataFolder(folder)
  try {
    const store = await openPostgresStore({
      ...{ connectionString: url, origin, format: formatVersion, leaseMs: 30_000, now },
      adopted: null,
    })
    const { seq } = await store.newest()
    store.close()
    return seq
  } catch (error) {
    const { code } = error as { code?: string }
    if (['STORE_MOVING', 'STORE_LEFT', 'STORE_OF_ANOTHER'].includes(code ?? '')) return null
    throw error
  }
}
