import { fixed, NONE, usd, wordsOf } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { Amount, Moment, Table } from '../../../view/parts/table.tsx'
import {
  cancelOrders,
  creditDeposit,
  freeze,
  noteAccount,
  setOwnerLimit,
  unbindAgent,
} from '../../model/actions/account-actions.ts'
import type { AccountReply } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { AccountLink, MarginRatio } from '../parts/words.tsx'
import { useConsole, useRead } from '../use-console.ts'

export function AccountPage({ account }: { account: string }) {
  const read = useRead('show_account', { account })
  return (
    <>
      <p>
        <a href="#accounts">All accounts</a>
      </p>
      <Panel
        title={`Account ${account}`}
        tools={read.value !== null && <Tools account={read.value} />}
      >
        <Shown read={read} what="The account">
          {(found) => <Money account={found} />}
        </Shown>
      </Panel>
      {read.value !== null && <Note account={read.value} />}
      {read.value !== null && <Holdings account={read.value} />}
      {read.value !== null && <Belonging account={read.value} />}
    </>
  )
}

function Tools({ account }: { account: AccountReply }) {
  const markets = useRead('get_markets')
  const symbols = (markets.value ?? []).map(({ symbol }) => symbol)
  return (
    <div class="row-actions">
      <Act action={freeze(account)} danger={!account.frozen}>
        {account.frozen ? 'Unfreeze …' : 'Freeze …'}
      </Act>
      <Act action={cancelOrders(account)}>Cancel orders …</Act>
      <Act action={setOwnerLimit(account, symbols)}>Limit …</Act>
      <Act action={creditDeposit(account)}>Credit a deposit …</Act>
    </div>
  )
}

function Money({ account }: { account: AccountReply }) {
  const { money } = account
  const ratio = <MarginRatio ratio={account.margin_ratio} scope={account.margin_scope} />
  return (
    <div class="facts-box">
      <Numbers
        rows={[
          ['State', <Frozen key="state" frozen={account.frozen} />],
          ['Margin ratio', ratio],
          ['Equity', `${usd(account.equity)} USD`],
          ['Balance', `${usd(account.balance)} USD`],
          ['Margin used', `${usd(money.total_margin_used)} USD`],
          ['Cross maintenance', `${usd(money.cross_mmr)} USD`],
        ]}
      />
      <Numbers
        rows={[
          ['Available to spend', `${usd(money.available_to_spend)} USD`],
          ['Available to withdraw', `${usd(money.available_to_withdraw)} USD`],
          ['Pending withdrawals', `${usd(money.pending_balance)} USD`],
          ['Fee level', money.fee_level],
          ['Maker and taker fee', `${money.maker_fee}, ${money.taker_fee}`],
          ['Volume of 14 days', `${fixed(money.volume_14d, 0)} USD`],
        ]}
      />
    </div>
  )
}

function Frozen({ frozen }: { frozen: boolean }) {
  return <Badge tone={frozen ? 'bad' : 'good'}>{frozen ? 'Frozen' : 'Free'}</Badge>
}

function Note({ account }: { account: AccountReply }) {
  const operators = useConsole()
  if (operators.operation('note_account') === undefined) return null
  return (
    <Panel title="Note" tools={<Act action={noteAccount(account)}>Note …</Act>}>
      {account.note === null ? <p class="nothing">No notes</p> : <p class="note">{account.note}</p>}
    </Panel>
  )
}

const sideText = { bid: 'long', ask: 'short' } as const

function Holdings({ account }: { account: AccountReply }) {
  return (
    <>
      <Panel title="Positions">
        <Table
          label="Positions"
          rows={account.positions_held}
          rowKey={({ symbol }) => symbol}
          empty="No position"
          columns={[
            { name: 'Market', cell: ({ symbol }) => <a href={`#markets/${symbol}`}>{symbol}</a> },
            {
              name: 'Side',
              cell: ({ side }) => (
                <span class={side === 'bid' ? 'up' : 'down'}>{sideText[side]}</span>
              ),
            },
            { name: 'Size', num: true, cell: ({ amount }) => <Amount value={amount} /> },
            { name: 'Entry', num: true, cell: ({ entryPrice }) => entryPrice },
            { name: 'Margin', num: true, cell: ({ margin }) => usd(margin) },
            { name: 'Mode', cell: ({ isolated }) => (isolated ? 'isolated' : 'cross') },
          ]}
        />
      </Panel>
      <Panel title="Open orders">
        <Table
          label="Open orders"
          rows={account.open_orders}
          rowKey={({ order_id }) => order_id}
          empty="No open order"
          columns={[
            { name: 'Order', cell: ({ order_id }) => order_id },
            { name: 'Market', cell: ({ symbol }) => symbol },
            { name: 'Type', cell: ({ order_type }) => wordsOf(order_type) },
            { name: 'Side', cell: ({ side }) => (side === 'bid' ? 'buy' : 'sell') },
            { name: 'Price', num: true, cell: ({ price }) => price },
            { name: 'Size', num: true, cell: ({ initial_amount: size }) => size },
            { name: 'Placed', cell: ({ created_at }) => <Moment at={created_at} /> },
          ]}
        />
      </Panel>
    </>
  )
}

function Belonging({ account }: { account: AccountReply }) {
  const { withdrawals, subaccounts, agents } = account
  return (
    <Panel title="What belongs to it">
      <Numbers
        rows={[
          [
            'Withdrawals that wait',
            withdrawals.map(({ amount }) => `${usd(amount)} USD`).join(', ') || NONE,
          ],
          [
            'Subaccounts',
            subaccounts.length === 0
              ? NONE
              : subaccounts.map((each) => <AccountLink key={each} account={each} />),
          ],
        ]}
      />
      <Table
        label="Agents"
        rows={agents}
        rowKey={(agent) => agent}
        empty="No agent signs for it"
        columns={[
          { name: 'Agent', cell: (agent) => <span class="mono">{agent}</span> },
          {
            name: '',
            cell: (agent) => (
              <div class="row-actions">
                <Act action={unbindAgent(agent)} danger>
                  Unbind …
                </Act>
              </div>
            ),
          },
        ]}
      />
    </Panel>
  )
}
