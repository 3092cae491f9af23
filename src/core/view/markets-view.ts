// The markets of the exchange. Each has one view object, which always shows current values.

import type { MarketChange, MarketParams } from '../commands/market-params.ts'
import { oracleFault, type ParamsFault, paramsFault } from '../markets/params-fault.ts'
import { type ChangePreview, previewChange } from '../markets/preview-change.ts'
import type { State } from '../state/state.ts'
import { ListedMarket, type MarketView } from './listed-market.ts'

export class Markets {
  private readonly state: State
  /** By rising id; new listings are added on access. */
  private readonly listed: ListedMarket[] = []

  constructor(state: State) {
    this.state = state
  }

  get count(): number {
    return this.state.markets.length - 1
  }

  /** Undefined if the market does not exist. */
  get(market: number): MarketView | undefined {
    return this.all()[market - 1]
  }

  /** Undefined if no market has this name. */
  named(symbol: string): MarketView | undefined {
    const id = this.state.symbols.get(symbol)
    return id === undefined ? undefined : this.get(id)
  }

  /** The market must exist. */
  paramsOf(market: number): MarketParams {
    return this.state.markets[market]!.params
  }

  /** The accounts that a change would affect if it were fully in force now (MARKET-2). */
  previewOf(market: number, change: MarketChange): ChangePreview {
    return previewChange(this.state, this.state.markets[market]!, change)
  }

  /** Why a market cannot have these parameters, or for a new market this first price. */
  faultOf(params: MarketParams, oracle: number | null): ParamsFault | null {
    const fault = paramsFault(params, this.state.rules)
    return fault ?? (oracle === null ? null : oracleFault(params, oracle))
  }

  /** Every market, including settled ones, by rising id. */
  all(): readonly MarketView[] {
    const { listed, state } = this
    while (listed.length < this.count)
      listed.push(new ListedMarket(state, state.markets[listed.length + 1]!))
    return listed
  }
}

export type MarketsView = Readonly<Markets>
