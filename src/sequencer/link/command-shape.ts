// Validates the shape of a command before the engine sees it: its fields, and whether each is a
// number, a string, a boolean, a record or a list. The rules check the values. A service gets its
// commands from validated bodies, but a caller in the same process, or a node of another version,
// may send anything.

import { batchCommands, commandFields, commandRecords, quoteFields } from '../../core/index.ts'
import {
  changeableNames,
  marketParameters,
  type ParameterUnit,
  parameterNames,
} from '../../words/market-parameters.ts'
import {
  type OptionName,
  optionNames,
  orderOptions,
  takerOptionNames,
} from '../../words/order-words.ts'
import {
  type Check,
  flag,
  isFlag,
  isRecord,
  kind,
  listOf,
  number,
  numberOrNull,
  optional,
  orNull,
  record,
  recordOf,
  text,
  textOrNull,
} from './shape-checks.ts'

const flagOrNull = kind('true, false or null', (value) => value === null || isFlag(value))
const levelList: Check = (value) => listOf(checkOf('level'))(value)
const ofUnit: Readonly<Record<ParameterUnit, Check>> = {
  text,
  flag,
  step: recordOf({ value: number, scale: number }),
  tiers: listOf(recordOf({ fromValue: number, maxLeverage: number })),
  ...{ ticks: number, lots: number, quote: number, ppm: number, whole: number },
}
const params = Object.fromEntries(
  parameterNames.map((name) => [name, ofUnit[marketParameters[name].unit]]),
)
const change = Object.fromEntries(changeableNames.map((name) => [name, optional(params[name]!)]))

const numbers = [
  ...['account', 'market', 'order', 'withdrawal', 'lots', 'ticks', 'microTicks'],
  ...['credit', 'changeNumber', 'quote', 'ppm', 'time', 'number'],
]
const texts = ['text', 'hash', 'side', 'tif', 'mode', 'triggerBy', 'scope', 'allowance']
const ofKind = new Map<string, Check>([
  ...numbers.map((name) => [name, number] as const),
  ...texts.map((name) => [name, text] as const),
  ['flag', flag],
  /** One level, several levels or `null` (TRIG-12). */
  ['levels', orNull((value) => (Array.isArray(value) ? levelList : checkOf('level'))(value))],
  [
    'leg',
    (value) => checkOf(isRecord(value) && 'level' in value ? 'stopLeg' : 'restingLeg')(value),
  ],
  ['action', actionFault],
  ['params', recordOf(params)],
  ['marketChange', recordOf(change)],
])

/** The check for a field kind of command-fields.ts. */
function checkOf(kindName: string): Check {
  const known = ofKind.get(kindName)
  if (known !== undefined) return known
  const made = madeCheck(kindName)
  ofKind.set(kindName, made)
  return made
}

function madeCheck(name: string): Check {
  if (name.endsWith('?')) return optional(checkOf(name.slice(0, -1)))
  if (name.endsWith('|null')) {
    const check = checkOf(name.slice(0, -'|null'.length))
    return nullable.get(check) ?? orNull(check)
  }
  if (name.endsWith('[]')) return listOf(checkOf(name.slice(0, -2)))
  return recordOf(checksOf(commandRecords[name as keyof typeof commandRecords]))
}

/** Checks whose messages mention that null is allowed. */
const nullable = new Map([
  [number, numberOrNull],
  [text, textOrNull],
  [flag, flagOrNull],
])

type Checks = Readonly<Record<string, Check>>

function checksOf(fields: Readonly<Record<string, string>>): Checks {
  return Object.fromEntries(Object.entries(fields).map(([name, is]) => [name, checkOf(is)]))
}

const optionCheck = (name: OptionName) =>
  [name, optional(orderOptions[name].words === null ? flag : textOrNull)] as const
const options = Object.fromEntries(optionNames.map(optionCheck))
const optionsOf: Readonly<Record<string, Checks>> = {
  PlaceOrder: options,
  PlaceMarketOrder: Object.fromEntries(takerOptionNames.map(optionCheck)),
}

function actionFault(value: unknown): string | null {
  if (!isRecord(value)) return record(value)
  const type = String(value.type)
  if (type === 'Quote') return quote(value)
  if ((batchCommands as readonly string[]).includes(type)) return shapes.get(type)!(value)
  return `.type must be one of ${[...batchCommands, 'Quote'].join(', ')}`
}

const quote = recordOf({ ...checksOf(quoteFields), mmp: options.mmp! })
const shapes = new Map<string, Check>(
  Object.entries(commandFields).map(([type, fields]) => [
    type,
    recordOf({ ...checksOf(fields), ...optionsOf[type] }),
  ]),
)

const author = orNull(recordOf({ who: text, why: text }))

/** Problem of the operator or reason; `null` if there is none. */
export function authorFault(by: unknown): string | null {
  const fault = author(by)
  return fault === null ? null : `by${fault}`
}

/** Problem of the fields of a command; `null` if there is none. */
export function commandFault(command: Readonly<Record<string, unknown>>): string | null {
  const type = String(command.type)
  const shape = shapes.get(type)
  if (shape === undefined)
    return `no command is called ${type}; there are ${[...shapes.keys()].join(', ')}`
  const fault = shape(command)
  return fault === null ? null : `${type}${fault}`
}
