// Writes and reads a deferred action of a batch. Deferred actions are the only commands in the
// state.

import type { BatchAction, KeptAction, Level, Levels, Proof, Trail } from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import { flag, list, optionalNumber, optionalText, type Stream } from './stream.ts'

/** Snapshots store the index of a type in this list. */
const types = [
  'PlaceOrder',
  'PlaceMarketOrder',
  'CancelOrder',
  'CancelStop',
  'EditOrder',
  'SetPositionTpsl',
  'PlaceStop',
  'Quote',
] as const satisfies readonly BatchAction['type'][]

type Fields = Record<string, unknown>
type Walk = (stream: Stream, value: unknown) => unknown

const number: Walk = (stream, value) => stream.number((value as number) ?? 0)
const text: Walk = (stream, value) => stream.text((value as string) ?? '')
const yes: Walk = (stream, value) => flag(stream, (value as boolean) ?? false)
const maybeNumber: Walk = (stream, value) => optionalNumber(stream, (value as number) ?? null)
const maybeText: Walk = (stream, value) => optionalText(stream, (value as string) ?? null)

const maybe =
  (fields: Record<string, Walk>): Walk =>
  (stream, value) =>
    flag(stream, value != null) ? walkFields(stream, fields, (value ?? {}) as Fields) : null

const maybeYes: Walk = (stream, value) =>
  flag(stream, value != null) ? flag(stream, value === true) : null

const trail: Record<keyof Trail, Walk> = {
  distance: maybeNumber,
  ppm: maybeNumber,
  activation: maybeNumber,
}
const level: Record<keyof Level, Walk> = {
  stopPrice: number,
  limitPrice: maybeNumber,
  size: maybeNumber,
  triggerBy: text,
  clientOrderId: maybeText,
  trail: maybe(trail),
  slippagePpm: maybeNumber,
}
/** A single level differs from a list of one: an action is stored as it was sent. */
const levels: Walk = (stream, value) => {
  const given = value as Levels
  const isList = flag(stream, Array.isArray(given))
  const walked: unknown[] = []
  list(stream, levelList(given), (one) =>
    walked.push(walkFields(stream, level, (one ?? {}) as Fields)),
  )
  return isList ? walked : (walked[0] ?? null)
}
const proof: Record<keyof Proof, Walk> = {
  textHash: text,
  signedAtMs: number,
  expiresAtMs: maybeNumber,
  agent: maybeText,
  ip: maybeText,
}
const scalars: Record<string, Walk> = {
  account: number,
  market: number,
  side: text,
  price: number,
  size: number,
  tif: text,
  slippagePpm: number,
  reduceOnly: yes,
  order: maybeNumber,
  clientOrderId: maybeText,
  takeProfit: levels,
  stopLoss: levels,
  proof: maybe(proof),
  level: maybe(level),
  expireTime: maybeNumber,
  up: maybeYes,
  mmp: yes,
}

function walkFields(stream: Stream, fields: Record<string, Walk>, value: Fields): Fields {
  const walked: Fields = {}
  for (const [field, walk] of Object.entries(fields)) walked[field] = walk(stream, value[field])
  return walked
}

/** Writes which fields the action has, then each field, because an absent level differs from a
 *  level of null. */
export function walkAction(stream: Stream, action: KeptAction | undefined): KeptAction {
  const known = (action ?? {}) as Fields
  const type = types[stream.number(action === undefined ? 0 : types.indexOf(action.type))]!
  const walked: Fields = { type }
  const names = Object.keys(scalars)
  const present = names.flatMap((name, at) => (known[name] === undefined ? [] : [at]))
  const fields: string[] = []
  list(stream, present, (at) => fields.push(names[stream.number(at ?? 0)]!))
  for (const field of fields) walked[field] = scalars[field]!(stream, known[field])
  return walked as KeptAction
}
