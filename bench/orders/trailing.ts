import type { Command } from '../../src/core/commands/commands.ts'
import { number } from '../../test/support/program/options.ts'
import { LoadRun } from '../load-run.ts'
import { benchOptions, collectGarbage, timed, whole } from '../options.ts'

const { stops, json, requireBars, say } = benchOptions({
  name: 'bench/trailing',
  about:
    'Trailing stops (TRIG-11), twenty an account, in a rise of a thousand ticks that moves each ' +
    'of them and triggers none: the cost that they add to a price.',
  options: {
    stops: number(50_000, 'trailing stops'),
  },
})

const moreMsMax = 1
const rise = 1_000
const passes = 3
const market = 1
const MIDDLE = 50_000
const usd = 1_000_000

function crowdOf(count: number): LoadRun {
  const run = new LoadRun()
  run.listMarket('BTC-USD', MIDDLE)
  const { trailingPerAccount } = run.state.rules.limits
  let account = 0
  for (let n = 0; n < count; n++) {
    if (n % trailingPerAccount === 0) account = run.deposit(`trader ${n}`, 1_000 * usd)
    // Half by share and half by distance; none is reached on the way up.
    const trail =
      n % 2 === 0
        ? { distance: null, ppm: 50_000 + (n % 1_000), activation: null }
        : { distance: 2_000 + (n % 1_000), ppm: null, activation: null }
    const level = {
      ...{ stopPrice: 0, trail, limitPrice: null, size: 10, triggerBy: 'mark' },
      clientOrderId: null,
    }
    const stop = { account, proof: null, market, side: 'ask', reduceOnly: false, level }
    run.submit({ type: 'PlaceStop', ...stop } as unknown as Command)
  }
  return run
}

/** Milliseconds of this thread a tick, in the whole rise. */
function riseMs(count: number): number {
  const run = crowdOf(count)
  collectGarbage()
  const { ms } = timed(() => {
    for (let tick = 1; tick <= rise; tick++) {
      run.atMs += 3_000
      run.tick(market, MIDDLE + tick, true)
    }
  })
  if (run.state.triggers.size !== count)
    throw new Error(`${run.state.triggers.size} of ${count} are left`)
  return ms / rise
}

const best = (count: number) => Math.min(...Array.from({ length: passes }, () => riseMs(count)))

riseMs(2_000)
const without = best(0)
const withAll = best(stops)
const moreMs = withAll - without
say(
  `${whole(stops)} trailing stops, ${whole(rise)} ticks up: ${withAll.toFixed(3)} ms a tick, ` +
    `${without.toFixed(3)} without them: ${moreMs.toFixed(3)} more`,
)
if (json) console.log(JSON.stringify({ stops, rise, withAll, without, moreMs }))
requireBars(
  moreMs > moreMsMax
    ? [`a tick costs ${moreMs.toFixed(3)} ms more with them, at most ${moreMsMax}`]
    : [],
)
