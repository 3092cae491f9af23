// Converts records to commands. The reader reuses its objects for the next record, because the core
// retains none of them. Levels and texts are created for each record, because the core may retain
// them.

import type { TimeMs } from '../../units/units.ts'
import { sides, tifs } from '../../words/order-words.ts'
import type {
  CancelAllOrders,
  CancelOrder,
  CancelStop,
  Command,
  CommandOf,
  EditOrder,
  PlaceMarketOrder,
  PlaceOrder,
  Proof,
} from '../commands/commands.ts'
import { hashText, hashWords } from '../commands/text-hash.ts'
import {
  AGENT,
  BY_ID,
  CANCEL_ALL,
  CANCEL_ORDER,
  CANCEL_STOP,
  CLIENT_ID,
  EDIT_ORDER,
  EXPIRES,
  IP,
  MMP,
  NAMED,
  OBSERVED,
  ON_MARKET,
  ORACLE_TICK,
  PLACE_MARKET_ORDER,
  PLACE_ORDER,
  place,
  SIGNED,
  STOP_LOSS,
  stpWords,
  TAKE_PROFIT,
  TICK,
  UNTIMED,
  YES,
} from './layout.ts'
import { type ReadLetters, RecordCursor, unusedField } from './record-cursor.ts'

type Own<T> = { -readonly [K in keyof T]: T[K] }
type Order = Own<PlaceOrder> | Own<PlaceMarketOrder>
type Ref = Own<CancelOrder> | Own<CancelStop> | Own<EditOrder>

const ofAccount = { account: 0, proof: null }
const onMarket = { ...ofAccount, market: 0 }
const order = { ...onMarket, side: 'bid', size: 0, reduceOnly: false, clientOrderId: null }
const levels = { takeProfit: null, stopLoss: null, stp: null }
const ref = { ...onMarket, order: null, clientOrderId: null }

export class RecordReader {
  readonly cursor: RecordCursor
  private readonly words = new Int32Array(hashWords)
  private readonly proof = {
    textHash: this.words,
    signedAtMs: 0,
    expiresAtMs: null,
    agent: null,
    ip: null,
  } as unknown as Own<Proof>
  private readonly place = {
    type: 'PlaceOrder',
    ...order,
    price: 0,
    tif: 'GTC',
    ...levels,
    expireTime: null,
    mmp: false,
  } as unknown as Own<PlaceOrder>
  private readonly market = {
    type: 'PlaceMarketOrder',
    ...order,
    slippagePpm: 0,
    ...levels,
  } as unknown as Own<PlaceMarketOrder>
  private readonly cancel = { type: 'CancelOrder', ...ref } as unknown as Own<CancelOrder>
  private readonly stop = { type: 'CancelStop', ...ref } as unknown as Own<CancelStop>
  private readonly edit = {
    type: 'EditOrder',
    ...ref,
    price: 0,
    size: 0,
  } as unknown as Own<EditOrder>
  private readonly all = {
    type: 'CancelAllOrders',
    ...ofAccount,
    market: null,
    excludeReduceOnly: false,
  } as unknown as Own<CancelAllOrders>
  private readonly price = {
    type: 'OracleTick',
    market: 0,
    price: 0,
    observedAtMs: null,
    jump: false,
  } as unknown as Own<CommandOf<'OracleTick'>>
  private readonly tick: Command = { type: 'Tick' }
  /** Whether to read fields that the core does not need, too. */
  private whole = false

  constructor(read: ReadLetters) {
    this.cursor = new RecordCursor(read)
  }

  /** Reads the fields of the command that the core needs; the result is valid until the next read.
   *  `null`: the record is text, or is invalid, as `cursor.fault` then says. */
  read(bytes: Uint8Array, from: number, to: number): Command | null {
    const { cursor } = this
    cursor.enter(bytes, from, to)
    const command = cursor.fault === '' ? this.commandOf(cursor.type) : null
    if (command !== null) cursor.end()
    return cursor.fault === '' ? command : null
  }

  /** Reads the complete command, which the caller may retain. */
  readWhole(bytes: Uint8Array, from: number, to: number): Command | null {
    this.whole = true
    const command = this.read(bytes, from, to)
    this.whole = false
    if (command === null) return null
    const kept = { ...command }
    // A field without a value is absent.
    if ('expireTime' in kept && kept.expireTime === null) delete kept.expireTime
    if ('stp' in kept && kept.stp === null) delete kept.stp
    if ('mmp' in kept && kept.mmp === false) delete kept.mmp
    if (!('proof' in kept) || kept.proof == null) return kept
    const textHash = hashText(kept.proof.textHash)
    return { ...kept, proof: { ...kept.proof, textHash } }
  }

  private commandOf(type: number): Command | null {
    switch (type) {
      case PLACE_ORDER:
        return this.readPlace(this.place)
      case CANCEL_ORDER:
        return this.readRef(this.cancel)
      case PLACE_MARKET_ORDER:
        return this.readMarket(this.market)
      case EDIT_ORDER:
        return this.readEdit(this.edit)
      case CANCEL_STOP:
        return this.readRef(this.stop)
      case CANCEL_ALL:
        return this.readCancelAll(this.all)
      case ORACLE_TICK:
        return this.readPrice(this.price)
      case TICK:
        return this.tick
      default:
        return null
    }
  }

  private readPlace(command: Own<PlaceOrder>): Command {
    const { cursor } = this
    command.tif = cursor.word(place.tif, tifs)
    command.price = cursor.whole(place.price) as PlaceOrder['price']
    command.expireTime = cursor.optional(EXPIRES, place.order) as TimeMs | null
    command.mmp = cursor.has(MMP)
    this.readOrder(command)
    return command
  }

  private readMarket(command: Own<PlaceMarketOrder>): Command {
    command.slippagePpm = this.cursor.whole(place.price) as PlaceMarketOrder['slippagePpm']
    this.readOrder(command)
    return command
  }

  private readOrder(command: Order): void {
    const { cursor } = this
    command.account = cursor.whole(place.account) as PlaceOrder['account']
    command.market = cursor.whole(place.market) as PlaceOrder['market']
    command.side = cursor.word(place.side, sides)
    command.size = cursor.wide(place.size) as PlaceOrder['size']
    command.reduceOnly = cursor.has(YES)
    command.proof = this.readProof()
    command.clientOrderId = cursor.text(CLIENT_ID)
    command.takeProfit = cursor.level(TAKE_PROFIT)
    command.stopLoss = cursor.level(STOP_LOSS)
    const stp = cursor.word(place.stp, stpWords)
    command.stp = stp === 'none' ? null : stp
  }

  private readEdit(command: Own<EditOrder>): Command {
    command.price = this.cursor.whole(place.price) as EditOrder['price']
    command.size = this.cursor.wide(place.size) as EditOrder['size']
    return this.readRef(command)
  }

  private readRef(command: Ref): Command {
    const { cursor } = this
    command.account = cursor.whole(place.account) as Ref['account']
    command.market = cursor.whole(place.market) as Ref['market']
    command.order = cursor.optional(BY_ID, place.order) as Ref['order']
    command.proof = this.readProof()
    command.clientOrderId = cursor.text(CLIENT_ID)
    return command
  }

  private readCancelAll(command: Own<CancelAllOrders>): Command {
    const { cursor } = this
    const market = cursor.whole(place.market)
    if (market !== 0 && !cursor.has(ON_MARKET)) cursor.bad(unusedField)
    command.account = cursor.whole(place.account) as CancelAllOrders['account']
    command.market = (cursor.has(ON_MARKET) ? market : null) as CancelAllOrders['market']
    command.excludeReduceOnly = cursor.has(YES)
    command.proof = this.readProof()
    return command
  }

  private readPrice(command: Own<CommandOf<'OracleTick'>>): Command {
    const { cursor } = this
    command.market = cursor.whole(place.market) as typeof command.market
    command.price = cursor.wide(place.wide) as typeof command.price
    command.observedAtMs = cursor.optional(OBSERVED, place.order)
    command.jump = cursor.has(YES)
    return command
  }

  private readProof(): Proof | null {
    const { cursor, proof } = this
    if (!cursor.has(SIGNED)) return this.unsigned()
    proof.signedAtMs = cursor.wide(place.wide) as Proof['signedAtMs']
    if (cursor.has(UNTIMED)) {
      cursor.unused(place.expiry)
      proof.expiresAtMs = null
    } else proof.expiresAtMs = cursor.wide(place.expiry) as Proof['expiresAtMs']
    if (cursor.has(NAMED)) proof.textHash = cursor.letters()
    else {
      cursor.hash(this.words)
      proof.textHash = this.words
    }
    proof.agent = cursor.text(AGENT)
    // The core checks the address of an agent, never that of an owner.
    if (this.whole || proof.agent !== null) proof.ip = cursor.text(IP)
    else {
      proof.ip = null
      if (cursor.has(IP)) cursor.skipLetters()
    }
    return proof
  }

  private unsigned(): null {
    const { cursor } = this
    cursor.unused(place.wide)
    cursor.unused(place.expiry)
    if (cursor.has(NAMED | UNTIMED | AGENT | IP)) cursor.bad(`its flags are ${cursor.flags}`)
    return null
  }
}
