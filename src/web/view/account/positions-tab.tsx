import { marketStatuses } from '../../../protocol/words.ts'
import { closingBody, type Times } from '../../model/account/closing.ts'
import { crossRatio, positionRatio, ratioTone } from '../../model/account/margin-ratio.ts'
import { levelsOf, numbersOf, type PositionNumbers } from '../../model/account/positions.ts'
import { closingNote, isClosed } from '../../model/market/standing.ts'
import {
  averageText,
  fixed,
  NONE,
  percent,
  signed,
  signedPercent,
  signedUsd,
  toneOf,
  usd,
  wholeAmount,
} from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import type { OpenOrder, Position } from '../../model/wire.ts'
import { Menu } from '../parts/menu.tsx'
import { Amount, type Column } from '../parts/table.tsx'
import { useTerminal } from '../use-terminal.ts'
import { RowsTable } from './rows-table.tsx'

type Row = Readonly<{
  position: Position
  numbers: PositionNumbers
  places: number
  leverage: number
}>

function rowsOf({ account, markets }: Terminal): readonly Row[] {
  return account.positions.value.map((position) => {
    const market = markets.list.value.find(({ symbol }) => symbol === position.s)
    const leverage = account.leverage(position.s, market?.max_leverage ?? 1)
    const mark = Number(markets.prices.value.get(position.s)?.mark ?? position.p)
    const { tickPlaces: places } = markets.gridOf(position.s)
    return { position, numbers: numbersOf(position, mark, leverage), places, leverage }
  })
}

/** Columns, most important first: on a narrow screen the other columns need scrolling. */
function columnsOf(terminal: Terminal): readonly Column<Row>[] {
  return [
    ...standingColumns(terminal),
    ratioColumn(terminal),
    ...priceColumns(terminal),
    ...costColumns(terminal),
    { name: '', cell: ({ position }) => <Actions position={position} /> },
  ]
}

function standingColumns(terminal: Terminal): readonly Column<Row>[] {
  const { markets } = terminal
  return [
    {
      name: 'Market',
      sort: ({ position }) => position.s,
      cell: ({ position, numbers, leverage }) => (
        <button
          type="button"
          class={numbers.long ? 'up' : 'down'}
          onClick={() => markets.choose(position.s)}
        >
          <b>{position.s}</b> {numbers.long ? 'long' : 'short'}{' '}
          <span class="chip">
            {leverage}× {position.i ? 'isolated' : 'cross'}
          </span>
        </button>
      ),
    },
    {
      name: 'Size',
      num: true,
      cell: ({ position }) => <Amount value={position.a} />,
      sort: ({ position }) => Number(position.a),
    },
    {
      name: 'Liquidation',
      num: true,
      sort: ({ position }) => Number(position.l ?? Number.NaN),
      cell: ({ position, places }) => (
        <span class="warn">
          <button
            type="button"
            class="link"
            title={`Explain the position in ${position.s}`}
            onClick={() => terminal.explain({ about: 'position', symbol: position.s })}
          >
            {position.l === null ? NONE : fixed(position.l, places)}
          </button>
        </span>
      ),
    },
    {
      name: 'Profit',
      num: true,
      sort: ({ numbers }) => numbers.profit,
      cell: ({ numbers: { profit, returned } }) => (
        <span class={toneOf(profit)}>
          {signedUsd(profit)} ({signedPercent(returned, 1)})
        </span>
      ),
    },
  ]
}

/** Text of the first level, and the number of further levels. */
function levelText([first, ...more]: readonly OpenOrder[], places: number): string {
  if (first === undefined) return NONE
  return `${fixed(first.sp, places)}${more.length === 0 ? '' : ` +${more.length}`}`
}

/** Margin ratio of an isolated position, or of the cross account. */
function ratioColumn({ account, markets }: Terminal): Column<Row> {
  const ratioOf = ({ position }: Row) => {
    const mark = Number(markets.prices.value.get(position.s)?.mark ?? position.p)
    const numbers = account.numbers.value
    return positionRatio(position, mark, numbers === null ? 0 : crossRatio(numbers))
  }
  return {
    name: 'Margin ratio',
    num: true,
    sort: ratioOf,
    cell: (row) => <span class={ratioTone(ratioOf(row))}>{percent(ratioOf(row), 1)}</span>,
  }
}

function priceColumns(terminal: Terminal): readonly Column<Row>[] {
  const { account, markets } = terminal
  return [
    { name: 'Entry', num: true, cell: ({ position, places }) => averageText(position.p, places) },
    {
      name: 'Mark',
      num: true,
      cell: ({ position, places }) => fixed(markets.prices.value.get(position.s)?.mark, places),
    },
    {
      name: 'TP / SL',
      num: true,
      cell: ({ position, places }) => {
        const levels = levelsOf(position, account.orders.value)
        return (
          <button
            type="button"
            class="link"
            aria-label={`Take profit and stop loss of ${position.s}`}
            onClick={() => terminal.open({ show: 'levels', position })}
          >
            {levelText(levels.take_profit, places)} / {levelText(levels.stop_loss, places)}
          </button>
        )
      },
    },
  ]
}

function costColumns(terminal: Terminal): readonly Column<Row>[] {
  const { markets } = terminal
  return [
    {
      name: 'Value',
      num: true,
      sort: ({ numbers }) => numbers.value,
      cell: ({ position, numbers }) => {
        const tier = markets.tierOf(position.s, numbers.value)
        return (
          <>
            {usd(numbers.value)}{' '}
            {tier !== undefined && (
              <span class="dim" title="Most leverage of the tier of risk that it falls in">
                ≤ {tier.max_leverage}×
              </span>
            )}
          </>
        )
      },
    },
    {
      name: 'Margin',
      num: true,
      // A cross position has no separate margin, so its value divided by the leverage is shown.
      cell: ({ position, numbers, leverage }) =>
        position.i ? (
          <button
            type="button"
            class="link"
            aria-label={`Margin of ${position.s}`}
            onClick={() => terminal.open({ show: 'margin', position })}
          >
            {usd(position.m)}
          </button>
        ) : (
          usd(numbers.value / leverage)
        ),
    },
    {
      name: 'Funding',
      num: true,
      sort: ({ position }) => -Number(position.f),
      cell: ({ position }) => (
        <button type="button" class="link" onClick={() => terminal.showTab('funding')}>
          {signed(-Number(position.f), 4)}
        </button>
      ),
    },
    {
      name: 'ADL',
      cell: ({ position }) => <AdlLight rank={position.at} />,
      sort: ({ position }) => position.at,
    },
  ]
}

/** Position in the deleveraging queue: no bar is last, four bars are first. */
function AdlLight({ rank }: { rank: number }) {
  return (
    <span class="adl" role="img" aria-label={`Deleveraging rank ${rank} of 4`}>
      {[1, 2, 3, 4].map((bar) => (
        <i key={bar} class={bar <= rank ? 'on' : ''} />
      ))}
    </span>
  )
}

/** Describes the closing order, and its share of the book if known. */
function closingText(terminal: Terminal, position: Position, times: Times, bound: string) {
  const { s, d } = position
  const body = closingBody(position, times, terminal.markets.gridOf(s), bound)
  const taking = terminal.takingOf({ kind: 'market', body })
  const share =
    taking === null ? '' : `, ${percent(taking.share, 0)} of what the book offers up to there`
  const worst = `no worse than ${bound} % from the mark`
  const what = `${d === 'bid' ? 'Sells' : 'Buys'} ${wholeAmount(body.amount)} ${s}`
  const text = `${what} at market, ${worst}${share}.`
  return { text, much: terminal.takesMuch(taking) }
}

const partItems = [0.25, 0.5, 0.75, 1] as const

const partsOf = (close: (part: Times) => void) =>
  partItems.map((part) => ({
    id: String(part),
    label: `Close ${percent(part, 0)} at market`,
    act: () => close(part),
  }))

function Actions({ position }: { position: Position }) {
  const terminal = useTerminal()
  const { trading, markets } = terminal
  const long = position.d === 'bid'
  const { s: symbol } = position
  const closed = isClosed(markets.risk.value.get(symbol))
  const size = wholeAmount(position.a)
  const turned = `${long ? 'Long' : 'Short'} ${size} ${symbol} becomes ${long ? 'short' : 'long'}`
  const close = async (part: Times) => {
    const bound = await trading.closingBound([position], part)
    const { text, much } = closingText(terminal, position, part, bound)
    const act = () => void trading.close(position, bound, part)
    terminal.confirm('Close at market', text, act, much)
  }
  const reverse = async () => {
    const bound = await trading.closingBound([position], 2)
    const { text } = closingText(terminal, position, 2, bound)
    const act = () => void trading.reverse(position, bound)
    terminal.confirm('Reverse', `${turned} ${size}. ${text}`, act, true)
  }
  return (
    <div class="row-actions">
      <button
        type="button"
        class="button small"
        onClick={() => terminal.open({ show: 'closing', position })}
      >
        Limit
      </button>
      <button type="button" class="button small" disabled={closed} onClick={() => close(1)}>
        Close
      </button>
      {!closed && (
        <Menu label={`Close a part of ${symbol}`} items={partsOf(close)} floats>
          %
        </Menu>
      )}
      <button type="button" class="button small" disabled={closed} onClick={reverse}>
        Reverse
      </button>
    </div>
  )
}

/** Describes the effect of the market's status on closing and reversing, before the click. */
function ClosingNote({ symbol }: { symbol: string }) {
  const risk = useTerminal().markets.risk.value.get(symbol)
  const note = closingNote(risk)
  if (risk === undefined || note === null) return null
  return (
    <p class="standing-note" role="note">
      <b>
        {symbol} is {marketStatuses[risk.status].label}.
      </b>{' '}
      {note}
    </p>
  )
}

export function PositionsTab() {
  const terminal = useTerminal()
  const rows = rowsOf(terminal)
  return (
    <>
      {rows.map(({ position: { s } }) => (
        <ClosingNote key={s} symbol={s} />
      ))}
      <RowsTable
        label="Positions"
        rows={rows}
        columns={columnsOf(terminal)}
        rowKey={({ position }) => position.s}
        marketOf={({ position }) => position.s}
        words={({ position: { s, d, i } }) =>
          `${s} ${d === 'bid' ? 'long' : 'short'} ${i ? 'isolated' : 'cross'}`
        }
        empty="No open positions"
      />
    </>
  )
}
