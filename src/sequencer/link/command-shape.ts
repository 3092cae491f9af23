// Validates the shape of a command before the engine sees it: which fields it has, and whether each
// is a number, a text, a flag, a record or a list. The rules check the values. A service gets its
// commands from validated bodies; a caller in the same process, or a node of another version, may
// send anything.

import type { AgentPolicy, BatchAction, Command, CommandOf, PlaceQuote } from '../../core/index.ts'
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
  type Fields,
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

const proof = orNull(
  recordOf({
    textHash: text,
    signedAtMs: number,
    expiresAtMs: numberOrNull,
    agent: textOrNull,
    ip: textOrNull,
  }),
)
const flagOrNull = kind('true, false or null', (value) => value === null || isFlag(value))
const trail = orNull(
  recordOf({ distance: numberOrNull, ppm: numberOrNull, activation: numberOrNull }),
)
const level = recordOf({
  stopPrice: number,
  limitPrice: numberOrNull,
  size: numberOrNull,
  triggerBy: text,
  clientOrderId: textOrNull,
  trail: optional(trail),
  slippagePpm: optional(numberOrNull),
})
const levelList = listOf(level)
/** One, several or none (TRIG-12). */
const levels = orNull((value) => (Array.isArray(value) ? levelList(value) : level(value)))
const ofAccount = { account: number, proof }
const onMarket = { ...ofAccount, market: number }
const orderRef = { order: numberOrNull, clientOrderId: textOrNull }
const order = {
  ...onMarket,
  side: text,
  size: number,
  reduceOnly: flag,
  clientOrderId: textOrNull,
  takeProfit: levels,
  stopLoss: levels,
}
function optionFields<K extends OptionName>(names: readonly K[]): Record<K, Check> {
  const check = (name: K) => optional(orderOptions[name].words === null ? flag : textOrNull)
  return Object.fromEntries(names.map((name) => [name, check(name)])) as Record<K, Check>
}
const options = optionFields(optionNames)
const expireTime = optional(numberOrNull)
const ofLeg = { side: text, reduceOnly: flag }
const stopLeg = recordOf({ ...ofLeg, level, up: optional(flagOrNull) })
const restingLeg = recordOf({
  ...ofLeg,
  price: number,
  size: number,
  clientOrderId: textOrNull,
})
const leg: Check = (value) => (isRecord(value) && 'level' in value ? stopLeg : restingLeg)(value)
const ofAgent = { ...ofAccount, agent: text }
const ofConnection = { account: number, connection: text }
const riskTiers = listOf(recordOf({ fromValue: number, maxLeverage: number }))
const step = recordOf({ value: number, scale: number })

const policyFields: Fields<AgentPolicy> = {
  markets: orNull(listOf(number)),
  postOnly: flag,
  reduceOnly: flag,
  maxSlippagePpm: numberOrNull,
  maxOrderValue: numberOrNull,
  maxPositionValue: numberOrNull,
  maxDailyLoss: numberOrNull,
  expiresAt: numberOrNull,
  allow: listOf(text),
}
const policy = recordOf(policyFields)

const ofUnit: Readonly<Record<ParameterUnit, Check>> = {
  ...{ text, flag, step, tiers: riskTiers },
  ...{ ticks: number, lots: number, quote: number, ppm: number, whole: number },
}
const params = Object.fromEntries(
  parameterNames.map((name) => [name, ofUnit[marketParameters[name].unit]]),
)
const change = Object.fromEntries(changeableNames.map((name) => [name, optional(params[name]!)]))

const mmpLimits = {
  windowMs: number,
  frozenMs: number,
  maxLots: numberOrNull,
  maxNet: numberOrNull,
}
const quote: Fields<PlaceQuote> = {
  ...onMarket,
  side: text,
  price: number,
  size: number,
  clientOrderId: textOrNull,
  mmp: options.mmp,
}

/** Fields of algos whose orders rest. */
const algo = {
  ...onMarket,
  side: text,
  size: number,
  price: number,
  reduceOnly: flag,
  expireTime: numberOrNull,
  clientOrderId: textOrNull,
}

const fieldsOf: Readonly<{ [T in Command['type']]: Fields<CommandOf<T>> }> = {
  PlaceOrder: { ...order, price: number, tif: text, expireTime, ...options },
  PlaceMarketOrder: { ...order, slippagePpm: number, ...optionFields(takerOptionNames) },
  PlaceStop: {
    takeProfit: optional(levels),
    stopLoss: optional(levels),
    ...onMarket,
    side: text,
    reduceOnly: flag,
    level,
    expireTime,
    up: optional(flagOrNull),
  },
  SetPositionTpsl: {
    ...onMarket,
    side: text,
    takeProfit: optional(levels),
    stopLoss: optional(levels),
  },
  EditOrder: { ...onMarket, ...orderRef, price: number, size: number },
  CancelOrder: { ...onMarket, ...orderRef },
  CancelStop: { ...onMarket, ...orderRef },
  CancelAllOrders: { ...ofAccount, market: numberOrNull, excludeReduceOnly: flag },
  Batch: { account: number, actions: listOf(actionFault), proof: optional(proof) },
  ScheduleCancel: { ...ofAccount, time: numberOrNull, keepProtective: flag },
  ArmConnection: { ...ofAccount, connection: text, keepProtective: flag },
  DisarmConnection: ofConnection,
  EndConnection: ofConnection,
  PlaceTwap: {
    ...onMarket,
    side: text,
    size: number,
    reduceOnly: flag,
    slippagePpm: number,
    durationSeconds: number,
    clientOrderId: textOrNull,
  },
  PlaceIceberg: { ...algo, display: number },
  PlaceChase: algo,
  PlaceOco: { ...onMarket, legs: listOf(leg), expireTime },
  CancelTwap: { ...onMarket, ...orderRef },
  SetMmp: { ...onMarket, limits: orNull(recordOf(mmpLimits)) },
  ResetMmp: onMarket,
  Deposit: { address: text, amount: number, reference: text },
  CreditDeposit: { address: text, amount: number, reference: text, by: text },
  ApproveCredit: { credit: number, approver: text },
  DropCredit: { credit: number },
  Withdraw: { ...ofAccount, amount: number },
  ApproveWithdrawal: { withdrawal: number, approver: text },
  CompleteWithdrawal: { withdrawal: number },
  FailWithdrawal: { withdrawal: number, by: optional(text) },
  CreateSubaccount: { ...ofAccount, address: text },
  Transfer: { ...ofAccount, to: number, amount: number },
  SetLeverage: { ...onMarket, leverage: number },
  SetMarginMode: { ...onMarket, isolated: flag },
  MoveIsolatedMargin: { ...onMarket, amount: number },
  BindAgent: {
    ...ofAgent,
    scopes: listOf(text),
    policy: optional(orNull(policy)),
    ips: optional(orNull(listOf(text))),
  },
  SetAgentPolicy: { ...ofAgent, policy: orNull(policy) },
  RevokeAgent: ofAgent,
  RevokeAllAgents: ofAccount,
  UnbindAgent: { agent: text },
  AllowAgentIp: { ...ofAgent, ip: text },
  DisallowAgentIp: { ...ofAgent, ip: text },
  SetAgentIpFilter: { ...ofAgent, enabled: flag },
  CreateApiKey: { ...ofAccount, prefix: text, digest: text },
  RevokeApiKey: { ...ofAccount, prefix: text },
  SetApiKeyCredits: { prefix: text, credits: number },
  FreezeAccount: { account: number, frozen: flag },
  ListMarket: { params: recordOf(params), oracle: number },
  ChangeMarket: { market: number, change: recordOf(change), immediate: optional(flag) },
  CancelMarketChange: { market: number, change: number },
  SetMarketMode: { market: number, mode: text },
  SettleMarket: { market: number, price: number },
  SetFeeTiers: {
    tiers: listOf(recordOf({ volumeDollars: number, makerPpm: number, takerPpm: number })),
  },
  SetExchangeMode: { mode: text },
  MoveReserve: { from: number, to: number, amount: number, by: optional(text) },
  SetOwnerLimit: { owner: number, market: number, lots: orNull(number) },
  SetInsuranceShare: { sharePpm: number },
  SetFundDailyMax: { dailyMax: number },
  SetWithdrawalLimits: {
    approvalAbove: numberOrNull,
    dailyMax: numberOrNull,
    creditApprovalAbove: optional(numberOrNull),
  },
  SetWithdrawalBrake: { fundPpm: numberOrNull, profitAbove: number, holdMs: number },
  Breach: { market: numberOrNull, invariant: number },
  SetRulesVersion: { version: number },
  SetClockFrozen: { frozen: flag },
  EngineStarted: { pricesStand: optional(flag) },
  KeepNote: { name: text, text: textOrNull },
  TellPast: { market: number, bars: text },
  OracleTick: { market: number, price: number, observedAtMs: numberOrNull, jump: flag },
  Tick: {},
}

const inBatch: Readonly<Record<BatchAction['type'], true>> = {
  PlaceOrder: true,
  PlaceMarketOrder: true,
  CancelOrder: true,
  CancelStop: true,
  EditOrder: true,
  SetPositionTpsl: true,
  PlaceStop: true,
  CancelAllOrders: true,
  Quote: true,
}

function actionFault(value: unknown): string | null {
  if (!isRecord(value)) return record(value)
  const type = String(value.type)
  if (!Object.hasOwn(inBatch, type))
    return `.type must be one of ${Object.keys(inBatch).join(', ')}`
  return type === 'Quote' ? recordOf(quote)(value) : shapes[type]!(value)
}

const shapes: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.entries(fieldsOf).map(([type, fields]) => [type, recordOf(fields)]),
)

const author = orNull(recordOf({ who: text, why: text }))

/** What is wrong with operator and reason; `null` if nothing. */
export function authorFault(by: unknown): string | null {
  const fault = author(by)
  return fault === null ? null : `by${fault}`
}

/** What is wrong with the fields of a command; `null` if nothing. */
export function commandFault(command: Readonly<Record<string, unknown>>): string | null {
  const type = String(command.type)
  if (!Object.hasOwn(shapes, type))
    return `no command is called ${type}; there are ${Object.keys(shapes).join(', ')}`
  const fault = shapes[type]!(command)
  return fault === null ? null : `${type}${fault}`
}
