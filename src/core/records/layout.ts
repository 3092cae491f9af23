// The byte layout of a record, little-endian: 72 bytes of fixed fields, and a tail with the
// optional fields, in the order of their flags. The sequencer writes this format, the journal
// stores it, followers receive it and the core reads it. Types, fields and flags never change their
// meaning, because the format is part of the data format of a folder (ADR 21).

import { selfTradeModes } from '../../words/order-words.ts'

export const headBytes = 72

/** Byte offsets in the header. Fields that a type does not use are 0. */
export const place = {
  type: 0,
  side: 1,
  tif: 2,
  /** Self-trade mode of an order. */
  stp: 3,
  flags: 4,
  account: 8,
  market: 12,
  /** In ticks; for a market order, its slippage in ppm. */
  price: 16,
  tailBytes: 20,
  /** Engine time. */
  time: 24,
  /** In lots. */
  size: 32,
  /** The id of an order; for a new order its expiry; for an oracle tick when it was observed. */
  order: 40,
  /** Until when the signed request is valid. */
  expiry: 48,
  /** The timestamp of the signed request; for an oracle tick, the price. */
  wide: 56,
  /** Wall time by which signed requests are forgotten; 0 in an unsigned command. */
  stamp: 64,
} as const

/** All rare commands: the tail contains the command as text. */
export const TEXT = 0
export const PLACE_ORDER = 1
export const PLACE_MARKET_ORDER = 2
export const CANCEL_ORDER = 3
export const CANCEL_STOP = 4
export const CANCEL_ALL = 5
export const EDIT_ORDER = 6
export const ORACLE_TICK = 7
export const TICK = 8

/** The record has a proof. The tail has the 32-byte hash of the signed request. */
export const SIGNED = 1
/** The hash is not a valid one, and the tail has it as text. */
export const NAMED = 2
/** The signed request has no timestamp. */
export const UNTIMED = 4
export const AGENT = 8
export const IP = 16
export const CLIENT_ID = 32
export const TAKE_PROFIT = 64
export const STOP_LOSS = 128
/** The command names its order by id. */
export const BY_ID = 256
/** Reduce-only. For a cancel of all, reduce-only orders are spared; for a tick, the price may
 *  jump. */
export const YES = 512
export const ON_MARKET = 1_024
/** The order expires. */
export const EXPIRES = 4_096
/** The price has an observation time. Without it, the price stands. */
export const OBSERVED = 2_048
/** The order is protected (ORDER-18). */
export const MMP = 8_192

const proof = SIGNED | NAMED | UNTIMED | AGENT | IP
const levels = TAKE_PROFIT | STOP_LOSS

/** The permitted flags of each type. */
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

// Indexes of 32-bit header words, for the words that a type leaves empty.
const ofAccount = 2
const ofMarket = 3
const ofPrice = 4
const ofSize = [8, 9]
const ofOrder = [10, 11]
const ofExpiry = [12, 13]
const ofWide = [14, 15]
const ofStamp = [16, 17]

/** For each type, the header words that are always 0. */
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

/** Mask for records that use only the type byte. */
const typeOnly = 0xff
/** Mask of the bits that each record type uses in its first word. */
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

/** The self-trade modes by index. The first stands for an order without one. */
export const stpWords = ['none', ...selfTradeModes] as const

/** A text is its length in a byte, then one byte per character, none above 127. */
export const textBytesMax = 255

/** Offsets of a level in the tail, before its client id. */
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
