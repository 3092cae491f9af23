// The stops and levels of a request, with their field names.

import type { BatchAction, Command, Level, Levels } from '../../core/index.ts'

export type NamedLevel = Readonly<{
  /** For example `stop_order`, `take_profit`, `stop_loss[2]`, `legs[1]`. */
  field: string
  level: Level
  isTakeProfit: boolean
  /** Whether there are several levels, so that a message has to name the level. */
  listed: boolean
  /** Its trigger direction, if given. */
  up?: boolean | null
}>

export function namedLevels(command: Command | BatchAction): readonly NamedLevel[] {
  switch (command.type) {
    case 'PlaceStop':
      return [
        { ...plain('stop_order', command.level), up: command.up ?? null },
        ...bothKinds(command),
      ]
    case 'PlaceOco':
      return command.legs.flatMap((leg, at) =>
        'level' in leg
          ? [{ ...plain(`legs[${at}]`, leg.level), listed: true, up: leg.up ?? null }]
          : [],
      )
    case 'PlaceOrder':
    case 'PlaceMarketOrder':
    case 'SetPositionTpsl':
      return bothKinds(command)
    default:
      return []
  }
}

const plain = (field: string, level: Level): NamedLevel => ({
  field,
  level,
  isTakeProfit: false,
  listed: false,
})

type Both = Readonly<{ takeProfit?: Levels | undefined; stopLoss?: Levels | undefined }>

const bothKinds = ({ takeProfit = null, stopLoss = null }: Both): readonly NamedLevel[] => [
  ...kindOf('take_profit', takeProfit),
  ...kindOf('stop_loss', stopLoss),
]

function kindOf(kind: 'take_profit' | 'stop_loss', levels: Levels): readonly NamedLevel[] {
  const isTakeProfit = kind === 'take_profit'
  const all = Array.isArray(levels) ? (levels as readonly Level[]) : null
  if (all !== null)
    return all.map((level, at) => ({ field: `${kind}[${at}]`, level, isTakeProfit, listed: true }))
  return levels === null ? [] : [{ ...plain(kind, levels as Level), isTakeProfit }]
}
