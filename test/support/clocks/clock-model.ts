// A model of the whole: the real core, the real clock of the stamps and the real checks of a
// window, with processes whose clocks are wrong. Honest clients sign by true time; an attacker
// sends every text that it has seen again, at any time and to any node. The model keeps its own
// list of the texts that had an effect on the timeline, and its own limit of how long clocks may
// lock a client out. `ClockModel.run` returns what is wrong.

import type { Command, Proof } from '../../../src/core/commands/commands.ts'
import { apply, createState, EventLog, type State } from '../../../src/core/engine.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { LeaderClock } from '../../../src/sequencer/link/leader-clock.ts'
import { windowFault } from '../../../src/sequencer/stamps/signed-window.ts'
import { StampClock } from '../../../src/sequencer/stamps/stamp-clock.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { Random } from '../../programs/differential/random.ts'
import { orderOf } from '../scene.ts'
import { genesisOf } from '../scene-genesis.ts'
import { LockOutLimit } from './lock-out-limit.ts'
import { drawPause, MachineClocks, TrueTime } from './model-clocks.ts'

export type ModelCounts = Record<string, number>
export type ModelReport = Readonly<{ wrong: readonly string[]; counts: ModelCounts }>

type Text = Readonly<{ name: string; account: number; proof: Proof; isOrder: boolean }>
type Node = Readonly<{ clocks: MachineClocks; leaderClock: LeaderClock }>
type Saved = Readonly<{ state: Uint8Array; used: number }>

const accounts = 6
/** Another account, whose agent alone sends, and much at a time. */
const maker = accounts + 1
const nodes = 4
const seenMax = 400
const savedMax = 3
const wrongMax = 20
const aheadMs = 10_000
const offMs = 2_000

const agentOf = (client: number) => `agent-${client}`

const cancel = { type: 'CancelOrder', order: 9, clientOrderId: null }

/** The text was not accepted. */
const rejectedTexts = ['EXPIRED', 'REPLAYED', 'TEXT_MEMORY_FULL']

export class ClockModel {
  private readonly random: Random
  private readonly time = new TrueTime(1_716_200_000_000)
  private readonly machines: readonly Node[]
  private readonly limit = new LockOutLimit()
  private readonly log = new EventLog()
  private readonly wrong: string[] = []
  private readonly counts: ModelCounts = {}
  private state: State = createState(genesisOf())
  private engineMs: number
  private leader = 0
  private stamps: StampClock
  /** Texts that had an effect on this timeline, in order. */
  private used: string[] = []
  private usedNow = new Set<string>()
  private seen: Text[] = []
  private saved: Saved[] = []
  private texts = 0

  constructor(seed: number) {
    this.random = new Random(seed)
    this.machines = Array.from({ length: nodes }, () => {
      const clocks = new MachineClocks(this.time, this.random)
      return { clocks, leaderClock: new LeaderClock(clocks) }
    })
    this.engineMs = this.time.now
    this.stamps = this.lead(0)
    for (let n = 1; n <= maker; n++) {
      this.apply({ type: 'Deposit', address: `client-${n}`, amount: 1e9, reference: `${n}` })
      const binding = { account: this.idOf(n), proof: null, agent: agentOf(n), scopes: ['trade'] }
      this.apply({ type: 'BindAgent', ...binding })
    }
  }

  async run(commands: number): Promise<ModelReport> {
    for (let n = 0; n < commands && this.wrong.length < wrongMax; n++) {
      this.time.now += drawPause(this.random)
      await this.disturb()
      if (this.random.chance(0.00004)) n += await this.burst(commands - n)
      else if (this.random.chance(0.4)) this.attack()
      else this.trade()
    }
    return { wrong: this.wrong, counts: this.counts }
  }

  /** What goes wrong around the commands. */
  private async disturb(): Promise<void> {
    const { random } = this
    if (random.chance(0.05)) await this.beat()
    if (random.chance(0.002)) this.step(random.below(nodes))
    if (random.chance(0.0015)) this.step(this.leader)
    if (random.chance(0.002)) this.engineMs += random.below(3 * 24 * 3_600_000)
    if (random.chance(0.0005)) this.restart(this.leader)
    if (random.chance(0.0005)) this.restart(random.below(nodes))
    if (random.chance(0.001)) this.save()
    if (random.chance(0.0007)) this.revert()
  }

  private step(node: number): void {
    const { clocks } = this.machines[node]!
    clocks.step(this.random)
    this.count('clock steps')
  }

  /** Every node compares its clock with the leader's. */
  private async beat(): Promise<void> {
    const { wall } = this.machines[this.leader]!.clocks
    for (const { clocks, leaderClock } of this.machines) {
      await leaderClock.compare(() => Promise.resolve(wall()))
      const isOff = Math.abs(clocks.wall() - wall()) > offMs
      if (isOff !== (leaderClock.fault !== null)) this.addWrong('a node is off and does not say so')
    }
  }

  /** The process of a node ends, and the state goes on as a snapshot has it. */
  private restart(leader: number): void {
    this.state = decodeState(encodeState(this.state))
    this.count(leader === this.leader ? 'restarts' : 'failovers')
    this.stamps = this.lead(leader)
  }

  private lead(node: number): StampClock {
    this.leader = node
    const { clocks } = this.machines[node]!
    for (const { leaderClock } of this.machines) leaderClock.forget()
    this.limit.led(this.time.now, clocks.skewMs)
    return new StampClock(clocks, this.state.stampMs)
  }

  private save(): void {
    this.saved.push({ state: encodeState(this.state), used: this.used.length })
    if (this.saved.length > savedMax) this.saved.shift()
  }

  /** Another timeline: what happened since has not happened. */
  private revert(): void {
    const saved = this.saved.pop()
    if (saved === undefined) return
    this.count('reverts')
    this.state = decodeState(saved.state)
    this.engineMs = this.state.atMs
    this.used = this.used.slice(0, saved.used)
    this.usedNow = new Set(this.used)
  }

  /** A text that another client sent before, to any node. */
  private attack(): void {
    const text = this.random.any(this.seen)
    if (text === undefined) return
    this.count('repeated')
    this.send(text, this.random.below(nodes))
  }

  /** A fresh text of an honest client, whose clock is right. */
  private trade(): void {
    const { random } = this
    const text = this.sign()
    this.seen.push(text)
    if (this.seen.length > seenMax) this.seen[random.below(seenMax)] = this.seen.pop()!
    this.count('fresh')
    const node = random.chance(0.5) ? this.leader : random.below(nodes)
    const answer = this.send(text, node)
    if (node === this.leader) this.requireServed(text, answer)
    else if (answer === 'TEXT_MEMORY_FULL') this.addWrong('the memory of an honest client is full')
  }

  /** More texts than a share has room for, of one agent, with the standard window and no faster
   *  than they expire in good times; mostly when the exchange is back after hours, and the stamp
   *  is that much behind. Returns how many. */
  private async burst(most: number): Promise<number> {
    const { random } = this
    this.count('bursts')
    if (random.chance(0.7)) {
      this.time.now += random.below(12 * 3_600_000)
      this.restart(this.leader)
    }
    const count = Math.min(most, random.below(25_000))
    const pauseMs = random.between(4, 40)
    for (let n = 0; n < count && this.wrong.length < wrongMax; n++) {
      this.time.now += pauseMs
      if (random.chance(0.05)) await this.disturb()
      const text = this.textOf(maker, agentOf(maker), 30_000)
      if (random.chance(0.01)) this.seen[random.below(this.seen.length)] = text
      this.count('fresh')
      this.requireServed(text, this.send(text, this.leader))
    }
    return count
  }

  private sign(): Text {
    const { random } = this
    const kind = random.weighted({ standard: 6, short: 2, long: 1 })
    const windowMs = { standard: 30_000, short: random.between(1, 5_000), long: 600_000 }[kind]
    const client = random.between(1, accounts)
    return this.textOf(client, random.chance(0.4) ? agentOf(client) : null, windowMs)
  }

  private textOf(client: number, agent: string | null, windowMs: number): Text {
    const signedAtMs = this.time.now as TimeMs
    this.texts += 1
    const name = `text ${this.texts}`
    const account = this.idOf(client)
    const expiresAtMs = (signedAtMs + windowMs) as TimeMs
    const proof = { textHash: name, signedAtMs, expiresAtMs, agent, ip: null }
    return { name, account, proof, isOrder: client === maker }
  }

  /** What became of it: the rejection, or `done`. */
  private send({ name, account, proof, isOrder }: Text, to: number): string {
    const { clocks, leaderClock } = this.machines[to]!
    const isLeader = to === this.leader
    if (!isLeader && leaderClock.fault !== null) return this.count('node off')
    if (!isLeader && windowFault(proof, clocks.wall()) !== null) return this.count('node window')
    this.limit.read(this.time.now, this.machines[this.leader]!.clocks.skewMs)
    if (windowFault(proof, this.stamps.wallNow()) !== null) return this.count('window')
    // Either is refused for what it asks, once its text was taken.
    const fields = isOrder ? { ...orderOf('bid', 1, 1), type: 'PlaceOrder' } : cancel
    const command = { ...fields, account, market: 1, proof }
    const rejection = this.apply(command, this.stamps.next())
    if (rejectedTexts.includes(rejection)) return this.count(rejection)
    const effect = `${account} ${name}`
    if (this.usedNow.has(effect)) this.addWrong(`${effect} had two effects`)
    this.used.push(effect)
    this.usedNow.add(effect)
    return this.count('done')
  }

  /** Nothing but a wrong clock keeps it out, and none for longer than it was wrong. */
  private requireServed({ proof, name }: Text, answer: string): void {
    const { skewMs } = this.machines[this.leader]!.clocks
    const expires = proof.expiresAtMs!
    if (answer === 'done') return
    if (answer === 'window') {
      const outside = skewMs < -aheadMs || this.time.now + skewMs > expires
      if (!outside) this.addWrong(`${name} was within its window`)
    } else if (answer !== 'EXPIRED') this.addWrong(`${name} is fresh, and was ${answer}`)
    else if (expires > this.limit.reached) {
      const late = expires - this.limit.reached
      this.addWrong(`${name} was EXPIRED ${late} ms above what any clock explains`)
    }
  }

  private apply(command: object, stampMs = 0): string {
    this.engineMs = Math.max(this.engineMs, this.state.atMs)
    this.log.clear()
    const times = { atMs: this.engineMs as TimeMs, stampMs: stampMs as TimeMs }
    const sequenced = { seq: this.state.seq + 1, ...times, command: command as Command }
    apply(this.state, sequenced, this.log)
    const rejected = this.log.readAll().find((event) => event.type === 'CommandRejected')
    return rejected?.rejection ?? 'none'
  }

  private idOf(client: number): number {
    return client + 3
  }

  private count(what: string): string {
    this.counts[what] = (this.counts[what] ?? 0) + 1
    return what
  }

  private addWrong(what: string): void {
    this.wrong.push(`${what}, at ${this.time.now} on node ${this.leader}`)
  }
}
