// One deterministic order flow for every measured engine: a prefilled book of about ten thousand
// orders, then limits, cancels, immediate orders and modifies around a slowly moving middle. A
// plain price-time book processes the flow while it is made, for the open orders and the rolling
// hash of all trades that any other engine has to reach.

/** 0 limit GTC, 1 cancel, 2 aggressive IOC, 3 modify (same id, new price, loses its priority). */
export const recordTypes = ['limit', 'cancel', 'ioc', 'modify'] as const
export const LIMIT = 0
export const CANCEL = 1
export const IOC = 2
export const MODIFY = 3

export const ACCOUNTS = 1_000
export const MIDDLE = 50_000
const MEAN_DISTANCE = 34
const MOVE_CHANCE = 0.01

export type TradeTotals = Readonly<{ trades: number; lots: number; notional: bigint; hash: number }>

/** A column for each field; one row is one record. Price and size are 0 on a cancel. */
export type Flow = Readonly<{
  prefill: number
  /** Prefill and commands together. */
  count: number
  /** Order ids are below this. */
  idEnd: number
  type: Uint8Array
  /** 0 buy, 1 sell. */
  side: Uint8Array
  account: Uint16Array
  order: Uint32Array
  price: Int32Array
  size: Uint32Array
  reference: TradeTotals
}>

export type FlowOptions = Readonly<{ commands: number; seed: number; prefill: number }>

/** The trades of a correct price-time book on `standardFlow`. */
export const standardFlow: FlowOptions = { commands: 1_000_000, seed: 42, prefill: 10_000 }
export const standardTotals: TradeTotals = {
  trades: 164_759,
  lots: 1_317_089,
  notional: 65_934_140_184n,
  hash: 877_525_819,
}

/** Adds a trade to the rolling hash of all trades; ids are those of the flow. */
export function hashTrade(hash: number, trade: Trade): number {
  const maker = Math.imul(trade.maker, 2_654_435_761)
  const taker = Math.imul(trade.taker, 40_503)
  return (Math.imul(hash, 31) + maker + taker + Math.imul(trade.lots, 97) + trade.price) | 0
}
export type Trade = Readonly<{ maker: number; taker: number; lots: number; price: number }>

/** Numbers in [0, 1): xoshiro128**, seeded by splitmix32. */
function randomSource(seed: number): () => number {
  let mixed = seed >>> 0
  const split = () => {
    mixed = (mixed + 0x9e3779b9) | 0
    let z = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  const turn = (x: number, bits: number) => (x << bits) | (x >>> (32 - bits))
  let s0 = split()
  let s1 = split()
  let s2 = split()
  let s3 = split()
  return () => {
    const result = Math.imul(turn(Math.imul(s1, 5), 7), 9) >>> 0
    const shifted = s1 << 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = turn(s3, 11)
    return result / 4_294_967_296
  }
}

type Resting = { id: number; side: number; price: number; size: number }

/** The reference: queues in a map by price, prices in sorted arrays with the best one last. */
class PlainBook {
  readonly live: number[] = []
  readonly pairs: (readonly [maker: number, taker: number])[] = []
  trades = 0
  lots = 0
  notional = 0n
  hash = 0
  private readonly place = new Map<number, number>()
  private readonly orders = new Map<number, Resting>()
  private readonly queues = [new Map<number, Resting[]>(), new Map<number, Resting[]>()] as const
  private readonly prices: readonly [number[], number[]] = [[], []]

  order(id: number): Resting {
    return this.orders.get(id) as Resting
  }

  best(side: number): number | undefined {
    return pick(this.prices, side).at(-1)
  }

  rest(order: Resting): void {
    const queues = pick(this.queues, order.side)
    let queue = queues.get(order.price)
    if (queue === undefined) {
      queue = []
      queues.set(order.price, queue)
      pick(this.prices, order.side).splice(this.slotOf(order.side, order.price), 0, order.price)
    }
    queue.push(order)
    this.orders.set(order.id, order)
    this.place.set(order.id, this.live.length)
    this.live.push(order.id)
  }

  remove(order: Resting): void {
    const queues = pick(this.queues, order.side)
    const queue = queues.get(order.price) as Resting[]
    queue.splice(queue.indexOf(order), 1)
    if (queue.length === 0) {
      queues.delete(order.price)
      pick(this.prices, order.side).splice(this.slotOf(order.side, order.price), 1)
    }
    this.forget(order.id)
  }

  /** Fills against crossing orders and returns the rest. */
  match(taker: Resting): number {
    const prices = pick(this.prices, 1 - taker.side)
    const queues = pick(this.queues, 1 - taker.side)
    let left = taker.size
    while (left > 0) {
      const price = prices.at(-1)
      if (price === undefined) break
      if (taker.side === 0 ? price > taker.price : price < taker.price) break
      const queue = queues.get(price) as Resting[]
      while (left > 0) {
        const maker = queue[0]
        if (maker === undefined) break
        const lots = Math.min(left, maker.size)
        left -= lots
        maker.size -= lots
        this.record({ maker: maker.id, taker: taker.id, lots, price })
        if (maker.size > 0) continue
        queue.shift()
        this.forget(maker.id)
      }
      if (queue.length > 0) continue
      queues.delete(price)
      prices.pop()
    }
    return left
  }

  private record(trade: Trade): void {
    this.trades++
    this.lots += trade.lots
    this.notional += BigInt(trade.lots) * BigInt(trade.price)
    this.hash = hashTrade(this.hash, trade)
    this.pairs.push([trade.maker, trade.taker])
  }

  private slotOf(side: number, price: number): number {
    const prices = pick(this.prices, side)
    let low = 0
    let high = prices.length
    while (low < high) {
      const middle = (low + high) >> 1
      const at = prices[middle] as number
      if (side === 0 ? at < price : at > price) low = middle + 1
      else high = middle
    }
    return low
  }

  private forget(id: number): void {
    this.orders.delete(id)
    const slot = this.place.get(id) as number
    const last = this.live.pop() as number
    if (last !== id) {
      this.live[slot] = last
      this.place.set(last, slot)
    }
    this.place.delete(id)
  }
}

function pick<T>(pair: readonly [T, T], side: number): T {
  return side === 0 ? pair[0] : pair[1]
}

/** Makes the records one by one. The order of the random draws is part of the flow. */
class FlowMaker {
  readonly book = new PlainBook()
  readonly columns
  private readonly target: number
  private readonly random: () => number
  private middle = MIDDLE
  private nextId = 1
  private count = 0

  constructor({ commands, seed, prefill }: FlowOptions) {
    this.target = prefill
    this.random = randomSource(seed)
    this.columns = columnsOf(prefill + commands)
  }

  get idEnd(): number {
    return this.nextId
  }

  step(): void {
    if (this.random() < MOVE_CHANCE) this.middle += this.below(2) === 1 ? 1 : -1
    const draw = this.random()
    // A gentle controller: the further the book is from its target, the more it is pushed back.
    const off = (4 * (this.target - this.book.live.length)) / this.target
    const push = Math.max(-0.1, Math.min(0.1, off))
    if (draw < 0.08) this.addIoc()
    else if (draw < 0.1) this.modify()
    else if (this.random() < 0.5 + push || this.book.live.length < 100) this.addLimit()
    else this.cancel()
  }

  addLimit(): void {
    const side = this.below(2)
    const account = this.below(ACCOUNTS)
    const price = this.passivePrice(side)
    const order = { id: this.nextId, side, price, size: this.drawSize() }
    this.nextId++
    this.emit(LIMIT, order, account)
    this.run(order)
  }

  private addIoc(): void {
    const side = this.below(2)
    const account = this.below(ACCOUNTS)
    const size = Math.max(1, Math.floor(this.drawSize() * 0.5))
    const id = this.nextId++
    const best = this.book.best(1 - side) ?? this.middle
    const slip = 1 + this.geometric(8)
    const order = { id, side, price: side === 0 ? best + slip : best - slip, size }
    this.emit(IOC, order, account)
    this.book.match(order)
  }

  private cancel(): void {
    const order = this.drawLive()
    this.emit(CANCEL, { ...order, price: 0, size: 0 }, 0)
    this.book.remove(order)
  }

  private modify(): void {
    const old = this.drawLive()
    let price = this.passivePrice(old.side)
    while (price === old.price) price = this.passivePrice(old.side)
    const order = { id: old.id, side: old.side, price, size: this.drawSize() }
    this.emit(MODIFY, order, 0)
    this.book.remove(old)
    this.run(order)
  }

  private run(order: Resting): void {
    const left = this.book.match(order)
    if (left > 0) this.book.rest({ ...order, size: left })
  }

  private emit(type: number, order: Resting, account: number): void {
    const { columns, count } = this
    columns.type[count] = type
    columns.side[count] = order.side
    columns.account[count] = account
    columns.order[count] = order.id
    columns.price[count] = order.price
    columns.size[count] = order.size
    this.count++
  }

  private below(end: number): number {
    return Math.floor(this.random() * end)
  }

  private geometric(mean: number): number {
    return Math.floor(Math.log(1 - this.random()) / Math.log(1 - 1 / mean))
  }

  private passivePrice(side: number): number {
    const distance = 1 + this.geometric(MEAN_DISTANCE)
    return side === 0 ? this.middle - distance : this.middle + distance
  }

  private drawSize(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.random()))
    const normal = radius * Math.cos(2 * Math.PI * this.random())
    return 1 + Math.min(999, Math.floor(Math.exp(2.5 + normal)))
  }

  private drawLive(): Resting {
    return this.book.order(this.book.live[this.below(this.book.live.length)] as number)
  }
}

function columnsOf(count: number) {
  return {
    type: new Uint8Array(count),
    side: new Uint8Array(count),
    account: new Uint16Array(count),
    order: new Uint32Array(count),
    price: new Int32Array(count),
    size: new Uint32Array(count),
  }
}

export function makeFlow(options: FlowOptions): Flow {
  const maker = new FlowMaker(options)
  for (let i = 0; i < options.prefill; i++) maker.addLimit()
  for (let i = 0; i < options.commands; i++) maker.step()
  const { book, columns, idEnd } = maker
  const count = options.prefill + options.commands
  const owners = ownersWithoutSelfTrades(columns, idEnd, book.pairs)
  for (let i = 0; i < count; i++) columns.account[i] = owners[columns.order[i] as number] as number
  const { trades, lots, notional } = book
  const reference = { trades, lots, notional, hash: book.hash >>> 0 }
  return { prefill: options.prefill, count, idEnd, ...columns, reference }
}

/** An order that would trade with its own account goes to the next account without such orders. */
function ownersWithoutSelfTrades(
  { type, order, account }: ReturnType<typeof columnsOf>,
  idEnd: number,
  pairs: readonly (readonly [number, number])[],
): Uint16Array {
  const owners = new Uint16Array(idEnd)
  for (let i = 0; i < type.length; i++) {
    if (type[i] === LIMIT || type[i] === IOC) owners[order[i] as number] = account[i] as number
  }
  const met = new Map<number, number[]>()
  const meet = (a: number, b: number) => {
    const list = met.get(a)
    if (list === undefined) met.set(a, [b])
    else list.push(b)
  }
  for (const [maker, taker] of pairs) {
    meet(maker, taker)
    meet(taker, maker)
  }
  for (let id = 1; id < idEnd; id++) {
    const others = (met.get(id) ?? []).filter((other) => other < id)
    while (others.some((other) => owners[other] === owners[id])) {
      owners[id] = ((owners[id] as number) + 1) % ACCOUNTS
    }
  }
  return owners
}
