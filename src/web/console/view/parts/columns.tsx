// Columns used by several pages.

import { compact, percent, usd } from '../../../model/number-text.ts'
import { Amount, type Column, Moment } from '../../../view/parts/table.tsx'
import type { AccountRow, MarketRow, WithdrawalRow } from '../../model/admin-rows.ts'
import { Badge } from './panel.tsx'
import { AccountLink, ageText, MarginRatio, State } from './words.tsx'

export const accountColumns: readonly Column<AccountRow>[] = [
  { name: 'Account', cell: ({ account }) => <AccountLink account={account} /> },
  {
    name: 'Margin ratio',
    num: true,
    cell: ({ margin_ratio, margin_scope }) => (
      <MarginRatio ratio={margin_ratio} scope={margin_scope} />
    ),
  },
  { name: 'Equity', num: true, cell: ({ equity }) => usd(equity) },
  { name: 'Balance', num: true, cell: ({ balance }) => usd(balance) },
  { name: 'Positions', num: true, cell: ({ positions }) => positions },
  { name: 'Orders', num: true, cell: ({ orders }) => orders },
  {
    name: 'State',
    cell: ({ frozen }) =>
      frozen ? <Badge tone="bad">Frozen</Badge> : <span class="dim">free</span>,
  },
]

export const marketColumns: readonly Column<MarketRow>[] = [
  { name: 'Market', cell: ({ symbol }) => <a href={`#markets/${symbol}`}>{symbol}</a> },
  { name: 'Status', cell: ({ status }) => <State of={status} /> },
  { name: 'Mark', num: true, cell: ({ mark }) => mark },
  { name: 'Index', num: true, cell: ({ oracle }) => oracle },
  { name: 'Price age', num: true, cell: ({ price_age_ms }) => ageText(price_age_ms) },
  {
    name: 'Open interest',
    num: true,
    cell: ({ open_interest }) => <Amount value={open_interest} />,
  },
  {
    name: 'USD',
    num: true,
    cell: ({ open_interest_value }) => compact(open_interest_value),
  },
  {
    name: 'Of its cap',
    num: true,
    cell: ({ open_interest, params }) =>
      percent(Number(open_interest) / Number(params.open_interest_cap), 1),
  },
]

export const withdrawalColumns: readonly Column<WithdrawalRow>[] = [
  { name: 'Withdrawal', cell: ({ withdrawal_id }) => withdrawal_id },
  { name: 'Account', cell: ({ account }) => <AccountLink account={account} /> },
  { name: 'USD', num: true, cell: ({ amount }) => <span title={amount}>{usd(amount)}</span> },
  { name: 'Requested', cell: ({ requested_at }) => <Moment at={requested_at} /> },
  {
    name: 'State',
    cell: ({ state, return_requested_by }) => (
      <>
        <Badge tone={state === 'payable' ? 'good' : 'warn'}>{state.replace('_', ' ')}</Badge>
        {return_requested_by !== null && ` by ${return_requested_by}; approve or drop the credit`}
      </>
    ),
  },
  {
    name: 'Approvals',
    cell: ({ approved_by, approvals_needed }) =>
      approvals_needed === 0
        ? 'none needed'
        : `${approved_by.length} of ${approvals_needed} ${approved_by.join(', ')}`,
  },
  {
    name: 'Brake',
    cell: ({ held_by_brake }) =>
      held_by_brake ? <Badge tone="bad">held</Badge> : <span class="dim">no</span>,
  },
]
