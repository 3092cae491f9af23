// The package's own types cannot be found by its manifest; these are the types that the bench uses.
declare module 'nodejs-order-book' {
  export type Limit = {
    id: string
    side: 'buy' | 'sell'
    size: number
    price: number
    timeInForce: 'GTC' | 'IOC'
  }
  export type Processed = {
    done: readonly { id: string; size: number }[]
    partial: { id: string; size: number } | null
    partialQuantityProcessed: number
    quantityLeft: number
    err: unknown
  }
  export class OrderBook {
    limit(options: Limit): Processed
    cancel(id: string): { order: { id: string; size: number } } | undefined
  }
}
