import { fixed, percent, usd } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { Table } from '../../../view/parts/table.tsx'
import {
  moveReserve,
  setFeeTiers,
  setInsuranceDailyMax,
  setInsuranceShare,
} from '../../model/actions/money-actions.ts'
import type { Reserves } from '../../model/admin-rows.ts'
import { Act } from '../parts/act.tsx'
import { Panel, Shown } from '../parts/panel.tsx'
import { ProofPanel } from '../parts/reserve-proof.tsx'
import { useRead } from '../use-console.ts'

export function MoneyPage() {
  const reserves = useRead('get_reserves')
  const fees = useRead('get_fee_tiers')
  return (
    <>
      <Panel
        title="Reserves"
        tools={reserves.value !== null && <Tools reserves={reserves.value} />}
      >
        <Shown read={reserves} what="The reserves">
          {(now) => <Balances reserves={now} />}
        </Shown>
      </Panel>
      <ProofPanel />
      <Panel title="Backstops">
        <Table
          label="Backstops"
          rows={reserves.value?.backstops ?? []}
          rowKey={({ symbol }) => symbol}
          empty="No market is listed"
          columns={[
            { name: 'Market', cell: ({ symbol }) => <a href={`#markets/${symbol}`}>{symbol}</a> },
            { name: 'Balance', num: true, cell: ({ balance }) => `${usd(balance)} USD` },
            { name: 'Address', cell: ({ account }) => <span class="mono">{account}</span> },
          ]}
        />
      </Panel>
      <Panel
        title="Fee tiers"
        tools={fees.value !== null && <Act action={setFeeTiers(fees.value.tiers)}>Replace …</Act>}
      >
        <Shown read={fees} what="The fee tiers">
          {({ tiers }) => (
            <Table
              label="Fee tiers"
              rows={tiers}
              rowKey={({ volume }) => volume}
              empty="None"
              columns={[
                {
                  name: 'Volume in 14 days',
                  cell: ({ volume }) => `from ${fixed(volume, 0)} USD`,
                },
                {
                  ...{ name: 'Maker', num: true },
                  cell: ({ maker_fee_rate: rate }) => percent(Number(rate), 4),
                },
                {
                  ...{ name: 'Taker', num: true },
                  cell: ({ taker_fee_rate: rate }) => percent(Number(rate), 4),
                },
              ]}
            />
          )}
        </Shown>
      </Panel>
    </>
  )
}

function Tools({ reserves }: { reserves: Reserves }) {
  return (
    <div class="row-actions">
      <Act action={moveReserve(reserves)}>Move money …</Act>
      <Act action={setInsuranceShare(reserves)}>Share of fees …</Act>
      <Act action={setInsuranceDailyMax(reserves)}>Daily payments …</Act>
    </div>
  )
}

function Balances({ reserves }: { reserves: Reserves }) {
  const { deficit } = reserves
  return (
    <div class="facts-box">
      <Numbers
        rows={[
          ['Fees', `${usd(reserves.fees)} USD`],
          ['Insurance fund', `${usd(reserves.insurance)} USD`],
          [
            'Deficit',
            <span key="deficit" class={Number(deficit) < 0 ? 'down' : ''}>
              {usd(deficit)} USD
            </span>,
          ],
          ['Paid in, ever', `${usd(reserves.deposits)} USD`],
          ['Paid out, ever', `${usd(reserves.withdrawn)} USD`],
        ]}
      />
      <Numbers
        rows={[
          ["Fund's share of fees", percent(Number(reserves.insurance_share))],
          ['Pays on a day, of itself', percent(Number(reserves.insurance_daily_max))],
          ['That is today', `${usd(reserves.insurance_daily_limit)} USD`],
          ['Paid of it', `${usd(reserves.insurance_paid_today)} USD`],
        ]}
      />
    </div>
  )
}
