// The newest proof of reserves, and how to check it.

import { usd } from '../../../model/number-text.ts'
import { Numbers } from '../../../view/parts/dialog.tsx'
import { Moment } from '../../../view/parts/table.tsx'
import { proveReserves } from '../../model/actions/money-actions.ts'
import type { ReserveProof } from '../../model/admin-rows.ts'
import { useRead } from '../use-console.ts'
import { Act } from './act.tsx'
import { Panel, Shown } from './panel.tsx'

export function ProofPanel() {
  const read = useRead('get_reserve_proof')
  return (
    <Panel
      title="Proof of reserves"
      tools={<Act action={proveReserves(read.value?.newest ?? null)}>Make a proof …</Act>}
    >
      <Shown read={read} what="The proof of reserves">
        {({ newest }) =>
          newest === null ? <p class="nothing">None was made yet</p> : <Proof {...newest} />
        }
      </Shown>
    </Panel>
  )
}

function Proof(proof: ReserveProof) {
  return (
    <>
      <div class="facts-box">
        <Numbers
          rows={[
            ['Of entry', `${proof.seq}`],
            ['Its time', <Moment key="at" at={proof.at} />],
            ['Accounts', `${proof.accounts}`],
          ]}
        />
        <Numbers
          rows={[
            ['Owed to accounts', `${usd(proof.liabilities)} USD`],
            ['Of it the exchange itself', `${usd(proof.own)} USD`],
            ['Accounts owe', `${usd(proof.debts)} USD`],
            ['Funding under way', `${usd(proof.funding)} USD`],
            ['Paid in, less paid out', `${usd(proof.total)} USD`],
          ]}
        />
      </div>
      <div class="part-foot">
        <p>
          Root <code class="mono hash">{proof.root}</code>
        </p>
        <p class="dim">
          Publish the root, the sums and the time where you cannot change them later. The owner of
          an account checks that it is in it:
        </p>
        <pre class="mono">
          openperp request /account/reserves --key alice {'>'} mine.json{'\n'}
          openperp verify mine.json --root {proof.root}
        </pre>
      </div>
    </>
  )
}
