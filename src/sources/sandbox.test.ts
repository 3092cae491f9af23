import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SandboxScene, sandboxScene, sceneStartMs } from '../../test/support/sandbox-scene.ts'
import {
  type Command,
  checkInvariants,
  type Event,
  type EventType,
  encodeState,
  kindAt,
  kindOfEvent,
  nextAfter,
} from '../core/index.ts'
import { decodeState } from '../core/snapshot/decode.ts'
import { FEED_LOST, LIVE, STALE } from '../core/state/market.ts'
import { type PastBar, pastBarsOf } from '../sequencer/past-bars.ts'
import { stateHash, tradingHash } from '../sequencer/snapshots/state-hash.ts'
import { Refused } from './exchange-port.ts'
import { advanceMsMax } from './sandbox.ts'

const BTC = 1
const hourMs = 3_600_000

async function started(seed: string): Promise<SandboxScene> {
  const scene = sandboxScene(seed)
  await scene.sandbox.start()
  return scene
}

function listed({ exchange }: SandboxScene) {
  return exchange.state.markets.filter((market) => market !== undefined)
}

/** Collects the events of some kinds, next to the waker. Others are not read: a day has half a
 *  million. */
function counting<T extends EventType>(
  { exchange, waker }: SandboxScene,
  types: readonly T[],
  of: (event: Extract<Event, { type: T }>, atMs: number) => void,
) {
  const kinds = new Set(types.map(kindOfEvent))
  exchange.onBatch = (outcomes) => {
    for (const { log, first, end, atMs } of outcomes)
      for (let at = first; at < end; at = nextAfter(log.rows, at))
        if (kinds.has(kindAt(log.rows, at))) of(log.read(at) as Extract<Event, { type: T }>, atMs)
    waker.rearm()
  }
}

const marketBid = (account: number): Command =>
  ({
    type: 'PlaceMarketOrder',
    account,
    proof: null,
    market: BTC,
    side: 'bid',
    size: 1_000,
    slippagePpm: 10_000,
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }) as unknown as Command

test('hours with bots: no feed is ever stale, each hour funds, books stay whole', async () => {
  const scene = await started('eight hours')
  const epochs = new Map<number, number>()
  let trades = 0
  counting(scene, ['FeedHealthChanged', 'FundingFixed', 'Traded'], (event) => {
    if (event.type === 'FeedHealthChanged') assert.fail(JSON.stringify(event))
    if (event.type === 'Traded') trades += 1
    if (event.type !== 'FundingFixed') return
    epochs.set(event.epoch, (epochs.get(event.epoch) ?? 0) + 1)
    // The first hour began in the middle; every other one has all its samples.
    assert.ok(event.samples === 720 || epochs.size === 1, JSON.stringify(event))
  })
  const reading = await scene.sandbox.advance(8 * hourMs)
  assert.equal(reading.engineNow, sceneStartMs + 8 * hourMs)
  assert.equal(epochs.size, 8)
  assert.deepEqual([...new Set(epochs.values())], [8])
  assert.ok(trades > 3_000, `${trades}`)
  assert.deepEqual(checkInvariants(scene.exchange.state), [])
  for (const market of listed(scene)) {
    assert.equal(market.health, LIVE)
    assert.ok(market.bids.count >= 8 && market.asks.count >= 8, market.params.symbol)
    assert.ok(market.bids.bestPrice < market.asks.bestPrice)
    const { tickMin, tickMax } = market.params
    assert.ok(market.mark > 100 * tickMin && market.mark < tickMax / 4)
  }
})

test('the same seed gives the same state, whatever the batches were', async () => {
  const hashes: string[] = []
  for (const nudge of [false, true]) {
    const scene = await started('twice')
    const done = scene.sandbox.advance(hourMs)
    // A turn of the event loop more or less changes what is batched, and nothing else.
    if (nudge) for (let turn = 0; turn < 50; turn++) await new Promise((next) => setImmediate(next))
    await done
    hashes.push(stateHash(scene.exchange.state))
  }
  assert.equal(hashes[0], hashes[1])
  const other = await started('another seed')
  await other.sandbox.advance(hourMs)
  assert.notEqual(stateHash(other.exchange.state), hashes[0])
})

test('live, every market ticks four times a second, trades, and orders are released', async () => {
  const scene = await started('live')
  let ticks = 0
  let trades = 0
  counting(scene, ['MarkUpdated', 'Traded', 'FeedHealthChanged'], (event) => {
    if (event.type === 'FeedHealthChanged') assert.fail(JSON.stringify(event))
    if (event.type === 'MarkUpdated') ticks += 1
    else trades += 1
  })
  await scene.time.pass(30_000)
  assert.ok(ticks >= 8 * 118 && ticks <= 8 * 121, `${ticks}`)
  assert.ok(trades > 20, `${trades}`)
  for (const market of listed(scene)) assert.ok(market.bids.count >= 8 && market.asks.count >= 8)
  assert.deepEqual(checkInvariants(scene.exchange.state), [])
  await scene.sandbox.close()
  const before = scene.exchange.seq
  scene.waker.close()
  await scene.time.pass(5_000)
  assert.equal(scene.exchange.seq, before)
})

test('the simulated history of a new sandbox ends where its markets begin', async () => {
  const scene = sandboxScene('a past', sceneStartMs, undefined, 120)
  await scene.sandbox.start()
  const opened = new Map(listed(scene).map(({ id, oracle }) => [id, oracle]))
  const published = new Map<number, PastBar[]>()
  counting(scene, ['PastTold'], ({ market, bars }) => {
    published.set(market, [...(published.get(market) ?? []), ...pastBarsOf(bars!)])
  })
  scene.sandbox.fillPast()
  while (scene.exchange.state.notes.has('past')) await new Promise((next) => setImmediate(next))
  await scene.sandbox.close()
  assert.equal(published.size, 8)
  const end = Math.floor(sceneStartMs / 60_000) * 60_000
  for (const [market, bars] of published) {
    assert.deepEqual(
      bars.map(({ start }) => start),
      Array.from({ length: 120 }, (_, minute) => end - (120 - minute) * 60_000),
    )
    const away = Math.abs(bars.at(-1)!.oracle - opened.get(market)!)
    assert.ok(away * 1_000 < opened.get(market)!, `market ${market} begins ${away} away`)
    for (const bar of bars) assert.ok(bar.low > 0 && bar.low <= bar.high && bar.trades > 0)
    for (const bar of bars) assert.ok(bar.markLow <= bar.mark && bar.mark <= bar.markHigh)
  }
})

test('simulated history that a crash cut short is written again, the same', async () => {
  const first = sandboxScene('cut', sceneStartMs, undefined, 30)
  await first.sandbox.start()
  const pastBars = async (scene: SandboxScene) => {
    const published: (string | null)[] = []
    counting(scene, ['PastTold'], ({ bars }) => published.push(bars))
    scene.sandbox.fillPast()
    while (scene.exchange.state.notes.has('past')) await new Promise((next) => setImmediate(next))
    await scene.sandbox.close()
    return published
  }
  const bytes = encodeState(first.exchange.state)
  const whole = await pastBars(first)
  // The state of the journal when the process died: opened, without any history.
  first.exchange.state = decodeState(bytes)
  first.exchange.seq = first.exchange.state.seq
  const next = sandboxScene('cut', sceneStartMs + 5_000, { ...first, snapshots: [] }, 30)
  await next.sandbox.start()
  assert.deepEqual(await pastBars(next), whole)
})

test('frozen time stands still; an advance moves it, then it stands still again', async () => {
  const { sandbox, time, exchange, clock } = await started('frozen')
  await time.pass(1_000)
  const frozen = await sandbox.freeze()
  assert.equal(frozen.frozen, true)
  const before = exchange.seq
  await time.pass(120_000)
  assert.equal(exchange.seq, before)
  assert.equal(clock.now(), frozen.engineNow)
  const moved = await sandbox.advance(hourMs)
  assert.equal(moved.engineNow, frozen.engineNow + hourMs)
  await time.pass(120_000)
  assert.equal(sandbox.clock().engineNow, moved.engineNow)
  assert.equal(exchange.state.atMs, moved.engineNow)
  const resumed = await sandbox.resume()
  assert.equal(resumed.frozen, false)
  await time.pass(10_000)
  assert.equal(clock.now(), moved.engineNow + 10_000)
  assert.ok(exchange.state.atMs > moved.engineNow + 9_000)
  await sandbox.close()
})

test('an advance makes a tick before any market would be stale', async () => {
  const scene = await started('short')
  const { sandbox, exchange } = scene
  const change = { staleAfterMs: 1_000 }
  await exchange.submit({ type: 'ChangeMarket', market: BTC as never, change })
  await sandbox.advance(3_000)
  const published = new Map<number, number[]>()
  counting(scene, ['MarkUpdated', 'FeedHealthChanged'], (event, atMs) => {
    if (event.type === 'FeedHealthChanged') assert.fail(JSON.stringify(event))
    else published.set(event.market, [...(published.get(event.market) ?? []), atMs])
  })
  await sandbox.advance(120_000)
  for (const [market, times] of published) {
    // Two thirds of 1,000 ms and of 4,500 ms.
    const period = market === BTC ? 666 : 3_000
    const inTime = times.filter((at) => at % period === 0)
    assert.ok(inTime.length >= Math.floor(120_000 / period), `market ${market}`)
    const gaps = times.slice(1).map((at, before) => at - times[before]!)
    assert.ok(Math.max(...gaps) <= period, `market ${market}: ${Math.max(...gaps)}`)
  }
  assert.equal(published.size, listed(scene).length)
})

test('two advances queue, and others get in between at the time reached', async () => {
  const { sandbox, exchange, clock } = await started('between')
  const start = clock.now()
  let ended = false
  const both = Promise.all([sandbox.advance(hourMs), sandbox.advance(hourMs)]).then((readings) => {
    ended = true
    return readings.map(({ engineNow }) => engineNow)
  })
  const times: number[] = []
  while (!ended) {
    const { atMs } = await exchange.submit({ type: 'Tick' })
    times.push(atMs)
  }
  assert.deepEqual(await both, [start + hourMs, start + 2 * hourMs])
  assert.ok(times.filter((atMs) => atMs > start && atMs < start + 2 * hourMs).length > 10)
})

test('an advance is bounded', async () => {
  const { sandbox } = await started('bounded')
  for (const ms of [0, -1, 1.5, advanceMsMax + 1, Number.NaN])
    await assert.rejects(sandbox.advance(ms), RangeError)
})

test('during an advance a scheduled cancel happens at its own instant', async () => {
  const scene = await started('instants')
  const { sandbox, exchange, clock } = scene
  await sandbox.fund('someone', 1_000_000_000)
  const account = exchange.state.accounts.byAddress.get('someone')! as never
  const time = (clock.now() + 100_001) as never
  await exchange.submit({
    type: 'ScheduleCancel',
    account,
    proof: null,
    time,
    keepProtective: false,
  })
  const seen: number[] = []
  counting(scene, ['AllOrdersCancelled'], (_, atMs) => seen.push(atMs))
  await sandbox.advance(200_000)
  assert.deepEqual(seen, [time])
})

test('the faucet credits, makes the account, and repeats itself after a revert', async () => {
  const { sandbox, exchange } = await started('faucet')
  await sandbox.setBots(false)
  await sandbox.freeze()
  await sandbox.fund('a', 5_000_000)
  const { id } = await sandbox.snapshot()
  const fund = () => Promise.all([sandbox.fund('a', 2_000_000), sandbox.fund('b', 3_000_000)])
  const first = await fund()
  assert.deepEqual(first, [{ balance: 7_000_000 }, { balance: 3_000_000 }])
  const hash = tradingHash(exchange.state)
  assert.equal(await sandbox.revert(id), true)
  assert.deepEqual(await fund(), first)
  assert.equal(tradingHash(exchange.state), hash)
  await assert.rejects(sandbox.fund('a', -1), (error) => {
    return error instanceof Refused && error.rejection === 'INVALID_AMOUNT'
  })
})

test('revert and the same again: equal hashes, with bots, prices and time in between', async () => {
  const { sandbox, exchange, clock } = await started('again')
  await sandbox.freeze()
  await sandbox.advance(5 * 60_000)
  await sandbox.fund('someone', 100_000_000_000)
  const account = exchange.state.accounts.byAddress.get('someone')!
  await sandbox.setOracle(BTC, [104_000_000_000, 104_500_000_000, 104_250_000_000])
  const { id } = await sandbox.snapshot()
  const start = clock.now()
  const play = async () => {
    await exchange.submit(marketBid(account))
    await sandbox.advance(10_000)
    await sandbox.resumeOracle(BTC)
    await sandbox.playScenario('wick', 2)
    await sandbox.advance(30 * 60_000)
    return [tradingHash(exchange.state), exchange.state.nextOrderId, clock.now()]
  }
  const first = await play()
  assert.equal(await sandbox.revert(id), true)
  assert.equal(clock.now(), start)
  assert.deepEqual(await play(), first)
  await sandbox.revert(id)
  assert.deepEqual(await play(), first)
})

test('work that was due and was removed does not change an advance', async () => {
  const { sandbox, exchange } = await started('gone')
  await sandbox.freeze()
  await sandbox.fund('someone', 1_000_000)
  const account = exchange.state.accounts.byAddress.get('someone')! as never
  const schedule = { type: 'ScheduleCancel', account, proof: null, keepProtective: true } as const
  const time = (exchange.state.atMs + 7_777) as never
  await exchange.submit({ ...schedule, time })
  await exchange.submit({ ...schedule, time: null })
  const { id } = await sandbox.snapshot()
  const commands = async () => {
    const before = exchange.seq
    await sandbox.advance(20_000)
    return exchange.seq - before
  }
  const first = await commands()
  await sandbox.revert(id)
  assert.equal(await commands(), first)
})

test('a revert restores running bots, and an unknown snapshot is false', async () => {
  const { sandbox, exchange, time } = await started('bots back')
  await time.pass(5_000)
  const { id, seq, atMs } = await sandbox.snapshot()
  assert.deepEqual(
    sandbox.snapshots().map((each) => each.id),
    [id],
  )
  assert.ok(seq > 0 && atMs <= sandbox.clock().engineNow)
  await sandbox.setBots(false)
  assert.equal(await sandbox.revert('s99'), false)
  assert.equal(await sandbox.revert(id), true)
  assert.equal(sandbox.botsRunning(), true)
  assert.equal((await sandbox.snapshot()).id, 's2')
  await time.pass(5_000)
  assert.deepEqual(checkInvariants(exchange.state), [])
  await sandbox.close()
})

test('a set price is the mark immediately, also on a frozen clock', async () => {
  const { sandbox, exchange } = await started('set')
  await sandbox.freeze()
  await sandbox.setOracle(BTC, [98_000_000_000])
  assert.equal(exchange.state.markets[BTC]!.mark, 98_000)
  await sandbox.advance(60_000)
  assert.equal(exchange.state.markets[BTC]!.oracle, 98_000_000_000)
  await assert.rejects(sandbox.setOracle(BTC, []), Refused)
  await assert.rejects(sandbox.setOracle(BTC, [0]), Refused)
  await assert.rejects(sandbox.setOracle(99, [1]), Refused)
})

test('a frozen feed goes stale, then cancel-only, then comes back by itself', async () => {
  const { sandbox, exchange, time } = await started('feed')
  await time.pass(1_000)
  const market = exchange.state.markets[BTC]!
  await sandbox.playScenario('freeze', BTC)
  await time.pass(12_000)
  assert.equal(market.health, STALE)
  await time.pass(50_000)
  assert.equal(market.health, FEED_LOST)
  await time.pass(32_000)
  assert.equal(market.health, LIVE)
  assert.equal(exchange.state.markets[2]!.health, LIVE)
  await sandbox.close()
})

test('after a restart markets trade immediately, settings are kept, ids go on', async () => {
  const first = await started('restart')
  await first.time.pass(3_000)
  await first.sandbox.setOracle(BTC, [99_000_000_000])
  await first.sandbox.setBots(false)
  await first.sandbox.snapshot()
  const next = await restarted(first, 7 * 24 * hourMs)
  await next.sandbox.start()
  assert.ok(listed(next).every(({ health }) => health === LIVE))
  assert.equal(next.clock.now(), first.time.now + 7 * 24 * hourMs)
  assert.equal(next.sandbox.botsRunning(), false)
  await next.time.pass(5_000)
  const { exchange } = next
  assert.equal(exchange.state.markets[BTC]!.oracle, 99_000_000_000)
  assert.ok(listed(next).every(({ catchingUp }) => !catchingUp))
  assert.equal((await next.sandbox.snapshot()).id, 's2')
  assert.equal(await next.sandbox.revert('s1'), true)
  await next.sandbox.close()
})

/** The process dies and another one begins, `later` after it; its sandbox is not started yet. */
async function restarted(first: SandboxScene, later: number): Promise<SandboxScene> {
  await first.sandbox.close()
  first.waker.close()
  const snapshots = first.sandbox.snapshots()
  const { exchange } = first
  // Memory of the process is lost; the state is restored from the journal.
  exchange.state = decodeState(encodeState(exchange.state))
  const next = sandboxScene('restart', first.time.now + later, { exchange, snapshots })
  await exchange.submit({ type: 'EngineStarted', pricesStand: true })
  return next
}

/** Prices of one market's ticks, in order. */
function pricesOf(scene: SandboxScene, market: number): number[] {
  const prices: number[] = []
  counting(scene, ['MarkUpdated'], (event) => {
    if (event.market === market) prices.push(event.oracle)
  })
  return prices
}

test('a path continues at any of its ticks, and none is played twice', async () => {
  const path = Array.from({ length: 12 }, (_, at) => 100_000_000_000 + at * 1_000_000)
  for (let played = 1; played <= path.length + 2; played++) {
    const first = await started('path')
    await first.time.pass(1_000)
    await first.sandbox.setOracle(BTC, path)
    await first.time.pass((played - 1) * 250)
    const stood = first.exchange.state.markets[BTC]!.oracle
    assert.equal(stood, path[Math.min(played, path.length) - 1])
    const next = await restarted(first, 2_000)
    const prices = pricesOf(next, BTC)
    await next.sandbox.start()
    assert.deepEqual(prices, [stood])
    await next.time.pass(14 * 250)
    const rest = path.slice(played)
    assert.deepEqual(prices.slice(1, 1 + rest.length), rest)
    assert.ok(prices.slice(1 + rest.length).every((price) => price === path.at(-1)))
    await next.sandbox.close()
  }
})

test('a finished crash is not played again; the simulation continues from its end', async () => {
  const first = await started('over')
  await first.sandbox.playScenario('crash', BTC)
  await first.time.pass(20_000)
  const stood = first.exchange.state.markets[BTC]!.oracle
  const next = await restarted(first, 60_000)
  const prices = pricesOf(next, BTC)
  await next.sandbox.start()
  await next.time.pass(20_000)
  assert.equal(prices[0], stood)
  assert.ok(prices.length > 70)
  for (const price of prices) assert.ok(Math.abs(price - stood) < stood / 100, `${price}`)
  await next.sandbox.close()
})

test('before its first tick a restart at any time changes nothing that trades', async () => {
  for (const later of [500, 30_000, 24 * hourMs]) {
    const first = await started('nothing')
    await first.time.pass(5_000)
    await first.sandbox.playScenario('squeeze', 2)
    await first.time.pass(3_000)
    await first.sandbox.fund('someone', 100_000_000_000)
    const account = first.exchange.state.accounts.byAddress.get('someone')!
    // Waits at the speed bump when the process dies.
    await first.exchange.submit(marketBid(account))
    const before = tradingHash(first.exchange.state)
    const next = await restarted(first, later)
    assert.equal(tradingHash(next.exchange.state), before)
    assert.equal(next.exchange.state.atMs, first.exchange.state.atMs)
    const { oracle } = next.exchange.state.markets[2]!
    const prices = pricesOf(next, 2)
    await next.sandbox.start()
    assert.equal(prices[0], oracle)
    assert.ok(listed(next).every(({ health }) => health === LIVE))
    await next.time.pass(2_000)
    assert.deepEqual(checkInvariants(next.exchange.state), [])
    await next.sandbox.close()
  }
})

test('a frozen sandbox is the same after a restart, to the mark', async () => {
  const first = await started('frozen restart')
  await first.time.pass(4_000)
  await first.sandbox.freeze()
  await first.sandbox.setOracle(BTC, [104_000_000_000, 104_500_000_000])
  const before = tradingHash(first.exchange.state)
  const next = await restarted(first, hourMs)
  await next.sandbox.start()
  await next.time.pass(10_000)
  assert.equal(tradingHash(next.exchange.state), before)
  assert.equal(next.sandbox.clock().frozen, true)
  const prices = pricesOf(next, BTC)
  await next.sandbox.advance(9_000)
  assert.deepEqual(prices.slice(0, 2), [104_000_000_000, 104_500_000_000])
  await next.sandbox.close()
})

test('a stopped feed stays stopped after a restart, for the rest of its time', async () => {
  const first = await started('silent')
  await first.sandbox.playScenario('freeze', BTC)
  await first.time.pass(5_000)
  const next = await restarted(first, 7_000)
  await next.sandbox.start()
  await next.time.pass(1_000)
  assert.equal(next.exchange.state.markets[BTC]!.health, STALE)
  await next.time.pass(60_000)
  assert.equal(next.exchange.state.markets[BTC]!.health, FEED_LOST)
  await next.time.pass(20_000)
  assert.equal(next.exchange.state.markets[BTC]!.health, LIVE)
  await next.sandbox.close()
})

test('a revert brings the scripts of its snapshot, and a restart after it has them', async () => {
  const path = Array.from({ length: 40 }, (_, at) => 100_000_000_000 + at * 1_000_000)
  const first = await started('both')
  await first.sandbox.setOracle(BTC, path)
  await first.time.pass(1_000)
  const { id } = await first.sandbox.snapshot()
  const stood = first.exchange.state.markets[BTC]!.oracle
  await first.time.pass(2_000)
  await first.sandbox.setOracle(BTC, [90_000_000_000])
  assert.equal(await first.sandbox.revert(id), true)
  const next = await restarted(first, 2_000)
  const prices = pricesOf(next, BTC)
  await next.sandbox.start()
  await next.time.pass(1_000)
  const at = path.indexOf(stood)
  assert.deepEqual(prices.slice(0, 4), [stood, ...path.slice(at + 1, at + 4)])
  await next.sandbox.close()
})

test('simulated sources say when they observed a price, every cadence', async () => {
  const scene = sandboxScene('cadence', sceneStartMs, undefined, 0, 500)
  const ticks: (readonly [market: number, atMs: number, observedAtMs: number | null])[] = []
  const { submit } = scene.exchange
  scene.exchange.submit = (command, ...more) => {
    if (command.type === 'OracleTick')
      ticks.push([command.market, scene.time.now - sceneStartMs, command.observedAtMs])
    return submit.call(scene.exchange, command, ...more)
  }
  await scene.sandbox.start()
  await scene.time.pass(2_000)
  const ofBtc = () => ticks.splice(0).filter(([market]) => market === BTC)
  const live = ofBtc()
  assert.ok(live.length >= 4, JSON.stringify(live))
  for (const [, , observedAtMs] of live) assert.equal(observedAtMs! % 500, 0)
  // A price that was set stands.
  await scene.sandbox.setOracle(BTC, [60_000_000_000])
  await scene.time.pass(2_000)
  assert.deepEqual([...new Set(ofBtc().map(([, , observedAtMs]) => observedAtMs))], [null])
  await scene.sandbox.resumeOracle(BTC)
  await scene.sandbox.freeze()
  await scene.sandbox.advance(5_000)
  assert.deepEqual([...new Set(ofBtc().map(([, , observedAtMs]) => observedAtMs))], [null])
  await scene.sandbox.close()
})
