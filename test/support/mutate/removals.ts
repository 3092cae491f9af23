// The rules without which a ring pays, or something happens that never may: each as the change of
// the built core that takes it out. Only copies of the build are ever changed.

export type Removal = Readonly<{
  name: string
  /** A path below the build. */
  module: string
  /** It is there once. */
  code: string
  instead: string
}>

const runOrder = 'src/core/orders/run-order.js'
const isFree = 'const isFree = stands(market) ||'

export const removals: readonly Removal[] = [
  {
    name: 'guarded equity',
    module: 'src/core/state/market.js',
    code: 'this.longValue = long * unitValue;',
    instead: 'long = mark; short = mark; this.longValue = long * unitValue;',
  },
  { name: 'release by tick', module: runOrder, code: isFree, instead: 'const isFree = true ||' },
  {
    name: 'the reducing taker',
    module: runOrder,
    code: isFree,
    instead: `const held = state.positions.lots[orders.position(slot)];
      ${isFree} (orders.side(slot) === 0 ? held < 0 : held > 0) ||`,
  },
  {
    name: 'the cut at meeting',
    module: 'src/core/matching/match.js',
    code: 'cutToPosition(state, log, maker);',
    instead: ';',
  },
  {
    name: 'full to deleveraging',
    module: 'src/core/liquidation/takeover.js',
    code: 'if (owed > 0 || !isHealthy(left))',
    instead: 'if (false)',
  },
]

export function without({ name, code, instead }: Removal, text: string): string {
  const parts = text.split(code)
  if (parts.length !== 2) throw new Error(`${name}: its code is there ${parts.length - 1} times`)
  return parts.join(instead)
}
