// The market switcher: search, favourites first, live prices.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { marketStatuses } from '../../../protocol/words.ts'
import { dayChange } from '../../model/market/markets.ts'
import {
  compact,
  fixed,
  percent,
  placesOf,
  signedPercent,
  toneOf,
} from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { Market } from '../../model/wire.ts'
import { useFocusInside } from '../parts/dialog.tsx'
import { StarButton } from '../parts/star-button.tsx'
import { useTerminal } from '../use-terminal.ts'

function found({ markets, preferences }: Terminal, text: string): readonly Market[] {
  const { favourites } = preferences.now.value
  const wanted = text.trim().toLowerCase()
  const rank = ({ symbol }: Market) => (favourites.includes(symbol) ? 0 : 1)
  const volume = ({ symbol }: Market) => Number(markets.prices.value.get(symbol)?.volume_24h ?? 0)
  return markets.list.value
    .filter(({ symbol, base_asset }) => `${symbol} ${base_asset}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => rank(a) - rank(b) || volume(b) - volume(a))
}

const rowId = (symbol: string) => `market-${symbol}`

/** The selection is a market instead of an index, because rows are reordered as prices change. */
function useChosen(rows: readonly Market[]) {
  const wanted = useSignal(rows[0]?.symbol ?? '')
  const found = rows.findIndex(({ symbol }) => symbol === wanted.value)
  const at = Math.max(0, found)
  const prefer = (market: Market | undefined) => {
    wanted.value = market?.symbol ?? ''
  }
  useEffect(() => {
    document.getElementById(rowId(wanted.value))?.scrollIntoView({ block: 'nearest' })
  }, [wanted.value])
  const step = (places: number) => prefer(rows[Math.min(rows.length - 1, Math.max(0, at + places))])
  return { chosen: rows[at], step, prefer }
}

export function MarketList() {
  const terminal = useTerminal()
  const close = () => terminal.close()
  const { box, onKeyDown } = useFocusInside(close)
  const text = useSignal('')
  const rows = found(terminal, text.value)
  const { chosen, step, prefer } = useChosen(rows)
  const choose = (market: Market | undefined) => {
    if (market === undefined) return
    terminal.trade(market.symbol)
    close()
  }
  const onKey = (event: KeyboardEvent) => {
    const places = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (places === undefined && event.key !== 'Enter') return
    // Without this, the focus returns to its previous element, where Enter would press a button.
    event.preventDefault()
    if (places !== undefined) step(places)
    else choose(chosen)
  }
  return (
    <div
      class="markets"
      ref={box}
      role="dialog"
      aria-label="Markets"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div class="search">
        <input
          class="input"
          data-first
          placeholder="Search markets"
          role="combobox"
          aria-label="Search markets"
          aria-expanded="true"
          aria-haspopup="grid"
          aria-controls="market-rows"
          aria-activedescendant={chosen === undefined ? undefined : rowId(chosen.symbol)}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
            prefer(found(terminal, currentTarget.value)[0])
          }}
          onKeyDown={onKey}
        />
      </div>
      <div class="scrolls">
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys choose rows. */}
        <table class="table plain" id="market-rows" role="grid" aria-label="Markets">
          <Head />
          <tbody>
            {rows.map((market) => (
              <MarketRow
                key={market.symbol}
                market={market}
                selected={market === chosen}
                onChoose={() => choose(market)}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p class="nothing">No market is called that</p>}
      </div>
    </div>
  )
}

const figures = ['Price', '24 h', 'Volume', 'Funding']

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="hidden-text">Favourite</span>
        </th>
        <th scope="col">Market</th>
        {figures.map((name) => (
          <th key={name} scope="col" class={name === 'Volume' ? 'num roomy' : 'num'}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps = Readonly<{ market: Market; selected: boolean; onChoose: () => void }>

function MarketRow({ market, selected, onChoose }: RowProps) {
  const { markets } = useTerminal()
  const { symbol, max_leverage, tick_size } = market
  const price = markets.prices.value.get(symbol)
  const change = price === undefined ? Number.NaN : dayChange(price)
  const status = markets.risk.value.get(symbol)?.status ?? 'live'
  return (
    <tr id={rowId(symbol)} aria-selected={selected} onClick={onChoose}>
      <td>
        <StarButton symbol={symbol} />
      </td>
      <td>
        <button type="button">
          <b>{symbol}</b>
        </button>{' '}
        <span class="chip">{max_leverage}×</span>{' '}
        {status !== 'live' && <span class="chip warn">{marketStatuses[status].label}</span>}
      </td>
      <td class="num">{fixed(price?.mark, placesOf(tick_size))}</td>
      <td class={`num ${toneOf(change)}`}>{signedPercent(change)}</td>
      <td class="num roomy">{compact(price?.volume_24h)}</td>
      <td class="num">{percent(Number(price?.next_funding), 4)}</td>
    </tr>
  )
}
