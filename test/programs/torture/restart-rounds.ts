// A sandbox that is killed again and again while clients drive its prices: scenarios, paths, held
// prices, a clock that is frozen, advanced or runs, bots on and off, snapshots and reverts. After
// each kill its journal is replayed from the genesis, and what the starts did is checked. Where
// time stands still, the API must show the same before and after.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathsOf, readDataFolder } from '../../../src/sequencer/data-folder.ts'
import { recover } from '../../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { snapshotsKept } from '../../../src/sources/sandbox-snapshots.ts'
import { ChildExchange } from '../../support/running/child-exchange.ts'
import { Connection } from '../../support/running/connection.ts'
import { Random } from '../differential/random.ts'
import { Replayed } from './replayed.ts'
import { RestartCheck } from './restart-check.ts'
import { type Deed, RestartPlay } from './restart-play.ts'

export type RestartOptions = Readonly<{
  restarts: number
  seed: number
  /** Longest wait before a kill. */
  waitMsMax: number
  say: (text: string) => void
  /** What is done before each death; the rest, or all of it, is drawn. */
  deeds?: readonly (readonly Deed[])[]
}>

export type RestartReport = Readonly<{
  wrong: readonly string[]
  restarts: number
  /** What was played, and how often. */
  played: Readonly<Record<string, number>>
  firstTicks: number
  pathTicks: number
  /** Restarts while time stood, of which the API showed the same before and after. */
  compared: number
  entries: number
}>

const wrongMax = 20
const startMsMax = 120_000
const flags = ['--snapshot-commands', '1000', '--verifiers', '1']

export async function runRestartRounds(options: RestartOptions): Promise<RestartReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-restarts-'))
  const rounds = new RestartRounds(options, join(root, 'data'))
  try {
    return await rounds.run()
  } finally {
    await rounds.end()
    rmSync(root, { recursive: true, force: true })
  }
}

class RestartRounds {
  private readonly options: RestartOptions
  private readonly data: string
  private readonly random: Random
  private readonly check = new RestartCheck()
  private readonly replayed: Replayed
  private readonly play: RestartPlay
  private readonly wrong: string[] = []
  private child: ChildExchange | null = null
  private api: Connection | null = null
  private restarts = 0
  private compared = 0

  constructor(options: RestartOptions, data: string) {
    this.options = options
    this.data = data
    this.random = new Random(options.seed)
    this.replayed = new Replayed(data, (placed, state) => this.check.before(placed, state))
    this.play = new RestartPlay(this.random, this.check)
  }

  async run(): Promise<RestartReport> {
    const { options, random } = this
    await this.start()
    await this.play.open(this.api!)
    while (this.restarts < options.restarts && this.wrong.length < wrongMax) {
      const known = this.wrong.length
      const shown = await this.round()
      const more = this.restarts + 1 < options.restarts && options.deeds === undefined
      if (more && random.chance(0.15)) await this.dieStarting()
      await this.start()
      await this.look(shown)
      for (const what of this.wrong.slice(known)) options.say(`wrong: ${what}`)
      if (this.restarts % 10 === 0)
        options.say(
          `${this.restarts} restarts, entry ${this.replayed.seq}, ${this.wrong.length} wrong`,
        )
    }
    await this.kill()
    await this.verifyJournal()
    const { firstTicks, pathTicks } = this.check
    const { restarts, compared, wrong } = this
    const entries = this.replayed.seq
    const { played } = this.play
    return { wrong, restarts, played, firstTicks, pathTicks, compared, entries }
  }

  async end(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.child?.ended
    this.api?.close()
  }

  /** Plays something and dies, at any moment. Gives what the API showed last, if time stood. */
  private async round(): Promise<string | null> {
    const { random, options, play } = this
    await play.some(this.api!, options.deeds?.[this.restarts])
    // Time stands only when nothing is under way that could move it.
    const shown = play.isFrozen ? await this.picture() : null
    const inFlight = shown === null && random.chance(0.4)
    // Cut off by the kill, most likely: then its result is unknown.
    const underWay = inFlight ? play.one(this.api!).catch(() => undefined) : null
    if (shown === null) await later(random.between(0, options.waitMsMax))
    await this.kill()
    await underWay
    await this.verifyJournal()
    return shown
  }

  private async start(): Promise<void> {
    this.child = new ChildExchange(this.data, flags)
    const { port } = await inTime(this.child.ready)
    this.api = new Connection(port)
    this.play.connect(port)
  }

  private async kill(): Promise<void> {
    this.child!.kill('SIGKILL')
    await this.child!.ended
    this.api?.close()
    this.play.disconnect()
  }

  /** A start that is killed before it is ready, or when it just was. */
  private async dieStarting(): Promise<void> {
    this.restarts += 1
    this.child = new ChildExchange(this.data, flags)
    await Promise.race([later(this.random.between(0, 1_500)), this.child.ready])
    await this.kill()
    await this.verifyJournal()
  }

  /** What the journal says now, and that a recovery reads the same. */
  private async verifyJournal(): Promise<void> {
    const { replayed, check, wrong, data } = this
    const errors = this.child!.errors.split('\n').filter((line) => /"level":[56]0/.test(line))
    for (const line of errors) wrong.push(`the process said: ${line.slice(0, 300)}`)
    await replayed.follow()
    check.died()
    wrong.push(...check.wrong.splice(0))
    const saved = new SavedStateFiles(pathsOf(data).saved, { keptMax: snapshotsKept })
    const { replica } = await recover(readDataFolder(data), { saved })
    if (replica.seq !== replayed.seq || stateHash(replica.state) !== replayed.hash)
      wrong.push(`recovered entry ${replica.seq} is not entry ${replayed.seq}`)
  }

  /** After a start: what was acknowledged stands, and what stood still is the same. */
  private async look(shown: string | null): Promise<void> {
    this.restarts += 1
    const { clockFrozen } = this.replayed.state
    this.wrong.push(...(await this.play.verify(this.api!, clockFrozen)))
    if (shown === null) return
    this.compared += 1
    const now = (await this.picture()).split('\n')
    for (const [at, line] of shown.split('\n').entries())
      if (line !== now[at]) this.wrong.push(`${line} became ${now[at]}`)
  }

  /** Marks, books and accounts as the API shows them, a line each. */
  private async picture(): Promise<string> {
    const read = async (path: string) => (await this.api!.get(`/api/v1${path}`)).body
    const { data } = (await read('/info/prices')) as { data: Record<string, unknown>[] }
    const lines: unknown[] = data.map(({ symbol, mark, oracle, mid, open_interest }) => {
      return { symbol, mark, oracle, mid, open_interest }
    })
    for (const { symbol } of data) lines.push(await read(`/book?symbol=${symbol}`))
    for (const address of this.play.addresses)
      for (const what of ['account', 'positions', 'orders'])
        lines.push(await read(`/${what}?account=${address}`))
    return lines.map((line) => JSON.stringify(line, withoutPlace)).join('\n')
  }
}

/** A start is an entry of history itself. */
function withoutPlace(field: string, value: unknown): unknown {
  return field === 'li' || field === 'last_order_id' ? undefined : value
}

/** A start that hangs ends the torture instead of hanging it. */
async function inTime<T>(ready: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`a start is not ready after ${startMsMax} ms`)
    timer = setTimeout(() => reject(error), startMsMax)
  })
  return Promise.race([ready, late]).finally(() => clearTimeout(timer))
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
