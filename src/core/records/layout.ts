// How a record lies in bytes, little-endian: 72 of fixed fields, and a tail of what its flags name,
// in the order of the flags. What the sequencer writes, the journal keeps and a follower gets is
// what the core reads. A type, a field and a flag never get another meaning: the format is part of
// the data format of a folder (ADR 21).

import { selfTradeModes } from '../../words/order-words.ts'

export const headBytes = 72

/** Places in the head. What a type does not use is 0. */
export const place = {
  type: 0,
  side: 1,
  tif: 2,
  /** Of an order: its self-trade mode. */
  stp: 3,
  flags: 4,
  account: 8,
  market: 12,
  /** In ticks; of a market order its slippage in ppm. */
  price: 16,
  tailBytes: 20,
  /** Engine time. */
  time: 24,
  /** In lots. */
  size: 32,
  /** Of a new order the time at which it ends; of an oracle tick when it was observed. */
  order: 40,
  /** Until when the signed text may serve. */
  expiry: 48,
  /** The timestamp of the signed text; of an oracle tick the price. */
  wide: 56,
  /** Wall time by which signed texts are forgotten; 0 in an unsigned command. */
  stamp: 64,
} as const

/** Everything that is rare, spelled out: its tail is text. */
export const TEXT = 0
export const PLACE_ORDER = 1
export const PLACE_MARKET_ORDER = 2
export const CANCEL_ORDER = 3
export const CANCEL_STOP = 4
export const CANCEL_ALL = 5
export const EDIT_ORDER = 6
export const ORACLE_TICK = 7
export const TICK = 8

/** A proof comes with it; in the tail the hash of its text, 32 bytes. */
export const SIGNED = 1
/** The hash is not one, and is in the tail as text. */
export const NAMED = 2
/** The signed text has no time. */
export const UNTIMED = 4
export const AGENT = 8
export const IP = 16
export const CLIENT_ID = 32
export const TAKE_PROFIT = 64
export const STOP_LOSS = 128
/** Its order is named by id. */
export const BY_ID = 256
/** Reduce-only; of a cancel of all that these are spared; of a tick that it may jump. */
export const YES = 512
export const ON_MARKET = 1_024
/** It ends at a time of its own. */
export const EXPIRES = 4_096
/** A price that was observed at a time; without it the price stands. */
export const OBSERVED = 2_048
/** It is protected (ORDER-18). */
export const MMP = 8_192

const proof = SIGNED | NAMED | UNTIMED | AGENT | IP
const levels = TAKE_PROFIT | STOP_LOSS

/** By type: the flags that it may have. */
export const flagsOf: readonly number[] = [
  0,
  proof | CLIENT_ID | levels | YES | EXPIRES | MMP,
  proof | CLIENT_ID | levels | YES,
  proof | CLIENT_ID | BY_ID,
  proof | CLIENT_ID | BY_ID,
  proof | YES | ON_MARKET,
  proof | CLIENT_ID | BY_ID,
  YES | OBSERVED,
  0,
]

// The head in words of 32 bits, for what a type leaves empty.
const ofAccount = 2
const ofMarket = 3
const ofPrice = 4
const ofSize = [8, 9]
const ofOrder = [10, 11]
const ofExpiry = [12, 13]
const ofWide = [14, 15]
const ofStamp = [16, 17]

/** By type: words that are always 0. */
export const unusedOf: readonly (readonly number[])[] = [
  [ofAccount, ofMarket, ofPrice, ...ofSize, ...ofOrder, ...ofExpiry, ...ofWide],
  [],
  ofOrder,
  [ofPrice, ...ofSize],
  [ofPrice, ...ofSize],
  [ofPrice, ...ofSize, ...ofOrder],
  [],
  [ofAccount, ofPrice, ...ofSize, ...ofExpiry, ...ofStamp],
  [ofAccount, ofMarket, ofPrice, ...ofSize, ...ofOrder, ...ofExpiry, ...ofWide, ...ofStamp],
]

/** By type: what of the first word it uses. */
const typeOnly = 0xff
export const firstWordOf: readonly number[] = [
  typeOnly,
  0xffffffff,
  0xff00ffff,
  typeOnly,
  typeOnly,
  typeOnly,
  typeOnly,
  typeOnly,
  typeOnly,
]

/** Of an order that says nothing about it, and the words. */
export const stpWords = ['none', ...selfTradeModes] as const

/** Its length in a byte, then a byte for each letter, none above 127. */
export const textBytesMax = 255

/** A level in the tail, before its client id. */
export const levelPlace = {
  stopPrice: 0,
  limitPrice: 4,
  size: 8,
  triggerBy: 16,
  flags: 17,
} as const
export const levelBytes = 18
export const LEVEL_LIMIT = 1
export const LEVEL_SIZE = 2
export const LEVEL_CLIENT_ID = 4
