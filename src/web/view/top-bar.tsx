import { useComputed } from '@preact/signals'
import { ratioTone, worstRatio } from '../model/account/margin-ratio.ts'
import { dayChange } from '../model/market/markets.ts'
import { compact, fixed, NONE, percent, signedPercent, toneOf, usd } from '../model/number-text.ts'
import { PageLinks, PageMenu } from './navigation.tsx'
import { ConnectionLight } from './parts/connection-light.tsx'
import { Countdown } from './parts/countdown.tsx'
import { GearIcon } from './parts/icons.tsx'
import { useTerminal } from './use-terminal.ts'

export function TopBar() {
  const terminal = useTerminal()
  return (
    <header class="top">
      <h1 class="brand">
        <img src="/assets/icon.svg" alt="" />
        <span>openperp</span>
      </h1>
      <PageMenu />
      <PageLinks label="Pages" class="page-links" />
      {terminal.page.value === 'trade' && <MarketButton />}
      <div class="narrow-only">
        <ConnectionLight bare />
      </div>
      {terminal.page.value === 'trade' && (
        <>
          <LastPrice />
          <MarketFacts />
        </>
      )}
      <span class="spacer" />
      <AccountFacts />
      <div class="tools">
        {terminal.sandbox.is.value && (
          <button
            type="button"
            class="icon-button"
            aria-expanded={terminal.drawer.value}
            onClick={() => {
              terminal.drawer.value = !terminal.drawer.value
            }}
          >
            Sandbox
          </button>
        )}
        <button
          type="button"
          class="icon-button wide-only"
          onClick={() => terminal.open({ show: 'keys' })}
        >
          {terminal.trader.value === null ? 'Connect' : 'Key'}
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Settings"
          onClick={() => terminal.open({ show: 'settings' })}
        >
          <GearIcon />
        </button>
      </div>
    </header>
  )
}

function MarketButton() {
  const terminal = useTerminal()
  return (
    <button
      type="button"
      class="market-button"
      aria-haspopup="dialog"
      onClick={() => terminal.open({ show: 'markets' })}
    >
      <span class="hidden-text">Market</span> {terminal.markets.symbol.value}
      <span class="dim wide-only">-PERP</span>
      <span class="dim arrow-down" aria-hidden="true" />
    </button>
  )
}

function LastPrice() {
  const { markets, live } = useTerminal()
  const price = markets.price.value
  const change = price === undefined ? Number.NaN : dayChange(price)
  return (
    <div class={`last-price ${toneOf(change)} ${live.stale.value ? 'stale' : ''}`}>
      {fixed(price?.mark, markets.grid.value.tickPlaces)}
    </div>
  )
}

function MarketFacts() {
  const { markets, live } = useTerminal()
  const price = markets.price.value
  const places = markets.grid.value.tickPlaces
  const change = price === undefined ? Number.NaN : dayChange(price)
  const rate = Number(price?.next_funding ?? Number.NaN)
  const interest = Number(price?.open_interest) * Number(price?.mark)
  return (
    <dl class={`facts market-facts ${live.stale.value ? 'stale' : ''}`}>
      <Fact name="Index" rank="middling">
        {fixed(price?.oracle, places)}
      </Fact>
      <Fact name="24 h change" rank="lesser">
        <span class={toneOf(change)}>{signedPercent(change)}</span>
      </Fact>
      <Fact name="24 h volume" rank="middling">
        {compact(price?.volume_24h)} USD
      </Fact>
      <Fact name="Open interest" rank="minor">
        {compact(Number.isFinite(interest) ? interest : null)} USD
      </Fact>
      <Fact name="Funding / countdown" rank="low">
        <span class={toneOf(rate)}>{percent(rate, 4)}</span> <Countdown />
      </Fact>
    </dl>
  )
}

/** Priority of an element. On narrow screens elements are hidden in the order minor, middling,
 *  lesser, low, roomy. */
type Rank = 'minor' | 'middling' | 'lesser' | 'low' | 'roomy'

type FactProps = Readonly<{ name: string; rank?: Rank; children: preact.ComponentChildren }>

function Fact({ name, rank, children }: FactProps) {
  return (
    <div class={`fact ${rank ?? ''}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function AccountFacts() {
  const { account, markets, streams } = useTerminal()
  const numbers = account.numbers.value
  const ratio = useComputed(() => {
    const now = account.numbers.value
    if (now === null) return Number.NaN
    return worstRatio(now, account.positions.value, (symbol) =>
      Number(markets.prices.value.get(symbol)?.mark ?? 0),
    )
  })
  if (numbers === null) return null
  const tone = ratioTone(ratio.value)
  return (
    <dl class={`facts account-facts ${streams.stale.value ? 'stale' : ''}`}>
      <Fact name="Equity">{usd(numbers.ae)}</Fact>
      <Fact name="Margin ratio" rank="roomy">
        <span class={tone}>{Number.isFinite(ratio.value) ? percent(ratio.value, 1) : NONE}</span>
      </Fact>
      <Fact name="Available" rank="roomy">
        {usd(numbers.as)}
      </Fact>
    </dl>
  )
}
