// Converts a command to its record. Rare commands are written as text. So are commands with a value
// that a record cannot hold: a price of more than 32 bits, which no market has, or a text that is
// not plain letters.

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
} from '../commands/commands.ts'
import { isSpelledOut } from '../drafts/order-options.ts'
import {
  BY_ID,
  CANCEL_ALL,
  CANCEL_ORDER,
  CANCEL_STOP,
  EDIT_ORDER,
  EXPIRES,
  MMP,
  OBSERVED,
  ON_MARKET,
  ORACLE_TICK,
  PLACE_MARKET_ORDER,
  PLACE_ORDER,
  place,
  STOP_LOSS,
  stpWords,
  TAKE_PROFIT,
  TICK,
  YES,
} from './layout.ts'
import type { RecordWriter } from './record-writer.ts'

/** Returns false if the command has no record type or does not fit. */
export function writeCommand(writer: RecordWriter, command: Command): boolean {
  switch (command.type) {
    case 'PlaceOrder':
      return writePlace(writer, command)
    case 'PlaceMarketOrder':
      return writeMarket(writer, command)
    case 'CancelOrder':
      return writeCancel(writer, CANCEL_ORDER, command)
    case 'CancelStop':
      return writeCancel(writer, CANCEL_STOP, command)
    case 'CancelAllOrders':
      return writeCancelAll(writer, command)
    case 'EditOrder':
      return writeEdit(writer, command)
    case 'OracleTick':
      return writeOracleTick(writer, command)
    case 'Tick':
      writer.begin(TICK)
      return writer.end()
    default:
      return false
  }
}

function writePlace(writer: RecordWriter, command: PlaceOrder): boolean {
  if (isSpelledOut(command)) return false
  writer.begin(PLACE_ORDER)
  writer.flag(MMP, command.mmp === true)
  writer.small(place.tif, tifs.indexOf(command.tif))
  writer.whole(place.price, command.price)
  writer.optional(EXPIRES, place.order, command.expireTime ?? null)
  writeOrder(writer, command)
  return writer.end()
}

function writeMarket(writer: RecordWriter, command: PlaceMarketOrder): boolean {
  if (isSpelledOut(command)) return false
  writer.begin(PLACE_MARKET_ORDER)
  writer.whole(place.price, command.slippagePpm)
  writeOrder(writer, command)
  return writer.end()
}

function writeOrder(writer: RecordWriter, command: PlaceOrder | PlaceMarketOrder): void {
  writer.whole(place.account, command.account)
  writer.whole(place.market, command.market)
  writer.small(place.side, sides.indexOf(command.side))
  writer.small(place.stp, command.stp == null ? 0 : stpWords.indexOf(command.stp, 1))
  writer.wide(place.size, command.size)
  writer.flag(YES, command.reduceOnly)
  writer.proof(command.proof)
  writer.clientId(command.clientOrderId)
  writer.level(TAKE_PROFIT, command.takeProfit)
  writer.level(STOP_LOSS, command.stopLoss)
}

function writeCancel(
  writer: RecordWriter,
  type: number,
  command: CancelOrder | CancelStop,
): boolean {
  writer.begin(type)
  writeRef(writer, command)
  return writer.end()
}

function writeEdit(writer: RecordWriter, command: EditOrder): boolean {
  writer.begin(EDIT_ORDER)
  writer.whole(place.price, command.price)
  writer.wide(place.size, command.size)
  writeRef(writer, command)
  return writer.end()
}

function writeRef(writer: RecordWriter, command: CancelOrder | CancelStop | EditOrder): void {
  writer.whole(place.account, command.account)
  writer.whole(place.market, command.market)
  writer.optional(BY_ID, place.order, command.order)
  writer.proof(command.proof)
  writer.clientId(command.clientOrderId)
}

function writeCancelAll(writer: RecordWriter, command: CancelAllOrders): boolean {
  writer.begin(CANCEL_ALL)
  writer.whole(place.account, command.account)
  writer.flag(ON_MARKET, command.market !== null)
  if (command.market !== null) writer.whole(place.market, command.market)
  writer.flag(YES, command.excludeReduceOnly)
  writer.proof(command.proof)
  return writer.end()
}

function writeOracleTick(writer: RecordWriter, command: CommandOf<'OracleTick'>): boolean {
  writer.begin(ORACLE_TICK)
  writer.whole(place.market, command.market)
  writer.wide(place.wide, command.price)
  writer.optional(OBSERVED, place.order, command.observedAtMs)
  writer.flag(YES, command.jump)
  return writer.end()
}
