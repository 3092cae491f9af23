// Commands that use an exchange, or need none at all, in the order of the help.

import type { Command } from './frame/command.ts'
import { init } from './init/init.ts'
import { key } from './key.ts'
import { bots } from './sandbox/bots.ts'
import { clock } from './sandbox/clock.ts'
import { fund } from './sandbox/fund.ts'
import { oracle, scenario } from './sandbox/oracle.ts'
import { revert, snapshot } from './sandbox/snapshot.ts'
import { balance, positions } from './trading/account/account-reads.ts'
import { orders } from './trading/account/orders.ts'
import { withdraw } from './trading/account/withdraw.ts'
import { agent } from './trading/agent.ts'
import { chase } from './trading/algos/chase.ts'
import { iceberg } from './trading/algos/iceberg.ts'
import { api, request } from './trading/api.ts'
import { cancel, edit } from './trading/cancel.ts'
import { leverage } from './trading/leverage.ts'
import { markets } from './trading/markets.ts'
import { mmp } from './trading/mmp.ts'
import { oco } from './trading/oco.ts'
import { order } from './trading/order.ts'
import { quote, scale } from './trading/quote.ts'
import { trail } from './trading/stops/trail.ts'
import { watch } from './trading/watch.ts'

export const onlineCommands: readonly Command[] = [
  init,
  key,
  agent,
  markets,
  order,
  oco,
  trail,
  cancel,
  edit,
  quote,
  scale,
  mmp,
  chase,
  iceberg,
  orders,
  positions,
  balance,
  withdraw,
  leverage,
  watch,
  api,
  request,
  fund,
  clock,
  oracle,
  scenario,
  bots,
  snapshot,
  revert,
]
