// The parts of the terminal: the stores, the services, and the display. The terminal implements
// it; each module names the parts that it uses, so that there are no circular imports.

import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Client } from '../../client/client.ts'
import type { ApiRefusal } from '../../client/errors.ts'
import type { Account } from './account/account.ts'
import type { ChartLine } from './account/chart-lines.ts'
import type { Seen } from './account/seen.ts'
import type { Trader } from './account/trader.ts'
import type { LiveMarket } from './market/live-market.ts'
import type { Markets } from './market/markets.ts'
import type { Notices } from './notices.ts'
import type { PreferenceStore } from './preferences.ts'
import type { Request } from './ticket/order-request.ts'
import type { Ticket } from './ticket/ticket.ts'
import type { Position } from './wire.ts'

export type Explained =
  | Readonly<{ about: 'order'; id: number }>
  | Readonly<{ about: 'fill'; id: number; orderId: number | null; liquidated: boolean }>
  | Readonly<{ about: 'funding'; id: number }>
  | Readonly<{ about: 'position'; symbol: string }>
  /** `seq`: where it began, or `latest`. */
  | Readonly<{ about: 'liquidation'; seq: string }>
  | Readonly<{ about: 'refusal'; title: string; refusal: ApiRefusal }>

export type Overlay =
  | Readonly<{
      show:
        | 'markets'
        | 'keys'
        | 'settings'
        | 'palette'
        | 'shortcuts'
        | 'leverage'
        | 'withdraw'
        | 'cancel-all'
        | 'indicators'
        | 'alerts'
    }>
  | Readonly<{ show: 'levels' | 'closing' | 'margin'; position: Position }>
  | Readonly<{ show: 'confirm'; title: string; text: string; act: () => void; back?: () => void }>
  | Readonly<{ show: 'edit'; line: ChartLine }>
  | Readonly<{ show: 'order'; request: Request }>
  | Readonly<{ show: 'why'; what: Explained }>

export type BottomTab =
  | 'positions'
  | 'orders'
  | 'work'
  | 'history'
  | 'closed'
  | 'fills'
  | 'funding'
  | 'balance'

export type Desk = Readonly<{
  preferences: PreferenceStore
  notices: Notices
  trader: ReadonlySignal<Trader | null>
  address: ReadonlySignal<string | null>
  markets: Markets
  account: Account
  seen: Seen
  /** Client for reads that need no key. */
  visitor: Client
  live: LiveMarket
  ticket: Ticket
  overlay: Signal<Overlay | null>
  streams: Readonly<{ engineNow(): number; repairs: Signal<number> }>
  sandbox: Readonly<{
    clock: ReadonlySignal<Readonly<{ frozen: boolean }> | null>
    refresh(): Promise<void>
  }>
  loadMarkets(): Promise<void>
  explain(what: Explained): void
  showTab(tab: BottomTab): void
  showSandbox(): void
}>
