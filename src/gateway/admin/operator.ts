// What the admin plane asks of the process around the exchange (main.ts brings it).

export type PushedPrice = Readonly<{
  market: number
  /** Millionths of a tick. */
  price: number
  external: number | null
}>

/** What an operator did, as the journal has it. */
export type OperatorAction = Readonly<{
  seq: number
  atMs: number
  who: string
  why: string
  what: string
  /** The command as JSON text. */
  command: string
}>

export type Operator = Readonly<{
  /** Prices of one source; says which were not taken and why. */
  pushPrices(
    source: string,
    prices: readonly PushedPrice[],
  ): readonly string[] | Promise<readonly string[]>
  /** Newest first. */
  actions(limit: number, beforeSeq: number | null): Promise<readonly OperatorAction[]>
  /** Copies what a restore needs into a new folder and names it. */
  backup(): Promise<Readonly<{ folder: string; seq: number }>>
  /** Stops taking orders; cancels are served until the process ends. */
  drain(): void
  hashes(): Promise<Readonly<{ seq: number; state: string; trading: string }>>
}>
