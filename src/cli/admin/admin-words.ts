// Commands for operations of the admin plane: their words, positional fields, and fixed fields. An
// operation that is missing here has a command named by its path.

import type { AdminName } from '../../protocol/admin/admin-api.ts'
import type { Wording } from '../frame/schema-fields.ts'

export type CommandSpec = Wording &
  Readonly<{
    words: string
    summary?: string
    /** The words after `openperp admin`. */
    examples: readonly string[]
  }>

const market = (verb: string): readonly CommandSpec[] => [
  {
    words: `market ${verb}`,
    behind: ['symbol'],
    examples: [`market ${verb} BTC --reason 'the feed is being repaired'`],
  },
]

const account = 'J1wM…'

/** By name of the operation. */
export const commandSpecs: Readonly<Partial<Record<AdminName, readonly CommandSpec[]>>> = {
  get_standing: [{ words: 'status', examples: ['status'] }],
  get_markets: [{ words: 'markets', examples: ['markets', 'markets --json'] }],
  get_market_templates: [
    { words: 'market templates', examples: ['market templates', 'market templates --json'] },
  ],
  list_market: [
    {
      words: 'market list',
      examples: [
        "market list --template btc --reason 'first market'",
        "market list --template xrp --max-leverage 5 --reason 'careful' --dry-run",
      ],
    },
  ],
  change_market: [
    {
      words: 'market change',
      behind: ['symbol'],
      spreads: 'change',
      examples: [
        "market change BTC --max-leverage 25 --reason 'thin books' --dry-run",
        `market change BTC --risk-tiers '[{"from_value":"1000000","max_leverage":10}]' --reason …`,
      ],
    },
  ],
  preview_market_change: [
    {
      words: 'market preview-change',
      behind: ['symbol'],
      spreads: 'change',
      examples: ['market preview-change BTC --max-leverage 25'],
    },
  ],
  cancel_market_change: [
    {
      words: 'market cancel-change',
      behind: ['symbol', 'change_id'],
      examples: ["market cancel-change BTC 3 --reason 'announced by mistake'"],
    },
  ],
  halt_market: market('halt'),
  resume_market: market('resume'),
  reduce_only_market: market('reduce-only'),
  post_only_market: market('post-only'),
  cancel_only_market: market('cancel-only'),
  settle_market: [
    {
      words: 'market settle',
      behind: ['symbol', 'price'],
      examples: ["market settle OLD 12.5 --reason 'delisted, as announced'"],
    },
  ],
  set_exchange_mode: [
    {
      words: 'exchange mode',
      behind: ['mode'],
      examples: ["exchange mode cancel_only --reason 'upgrade'"],
    },
  ],
  credit_deposit: [
    {
      words: 'deposit',
      behind: ['account', 'amount'],
      examples: [`deposit ${account} 2500 --reference wire-7731 --reason 'wire of Monday'`],
    },
  ],
  list_withdrawals: [{ words: 'withdrawals', examples: ['withdrawals'] }],
  approve_withdrawal: [
    {
      words: 'withdrawal approve',
      behind: ['withdrawal_id'],
      examples: ["withdrawal approve 12 --reason 'seen by two of us'"],
    },
  ],
  complete_withdrawal: [
    {
      words: 'withdrawal complete',
      behind: ['withdrawal_id'],
      examples: ["withdrawal complete 12 --reason 'sent, tx 0x51…'"],
    },
  ],
  fail_withdrawal: [
    {
      words: 'withdrawal fail',
      behind: ['withdrawal_id'],
      examples: ["withdrawal fail 12 --reason 'the address does not exist'"],
    },
  ],
  list_waiting_credits: [{ words: 'credits', examples: ['credits'] }],
  approve_credit: [
    {
      words: 'credit approve',
      behind: ['credit_id'],
      examples: ["credit approve 3 --reason 'the payment is on our statement'"],
    },
  ],
  drop_credit: [
    {
      words: 'credit drop',
      behind: ['credit_id'],
      examples: ["credit drop 3 --reason 'no such payment'"],
    },
  ],
  get_withdrawal_brake: [{ words: 'withdrawals brake', examples: ['withdrawals brake'] }],
  set_withdrawal_brake: [
    {
      words: 'withdrawals set-brake',
      behind: ['enabled'],
      examples: [
        "withdrawals set-brake true --fund-part 0.05 --profit-above 1000 --reason 'as agreed'",
        "withdrawals set-brake false --reason 'looked at all of them'",
      ],
    },
  ],
  get_withdrawal_limits: [{ words: 'withdrawals limits', examples: ['withdrawals limits'] }],
  set_withdrawal_limits: [
    {
      words: 'withdrawals set-limits',
      examples: [
        "withdrawals set-limits --approval-above 10000 --daily-max null --reason 'as agreed'",
      ],
    },
  ],
  get_reserves: [{ words: 'reserves', examples: ['reserves'] }],
  move_reserve: [
    {
      words: 'reserves move',
      behind: ['amount'],
      examples: ["reserves move 5000 --from fees --to insurance --reason 'the fund is low'"],
    },
  ],
  set_insurance_daily_max: [
    {
      words: 'reserves insurance-daily-max',
      behind: ['daily_max'],
      examples: ["reserves insurance-daily-max 0.5 --reason 'as agreed'"],
    },
  ],
  get_fee_tiers: [{ words: 'fees', examples: ['fees', 'fees --json'] }],
  set_fee_tiers: [
    {
      words: 'fees set',
      behind: ['tiers'],
      examples: [
        `fees set '[{"volume":0,"maker_fee_rate":"0.0002","taker_fee_rate":"0.0005"}]' --reason …`,
      ],
    },
  ],
  set_insurance_share: [
    {
      words: 'fees insurance-share',
      behind: ['share'],
      examples: ["fees insurance-share 0.2 --reason 'the fund is low'"],
    },
  ],
  find_accounts: [
    {
      words: 'accounts',
      behind: ['query'],
      examples: ['accounts J1w', 'accounts --order margin_ratio --limit 10'],
    },
  ],
  show_account: [
    { words: 'account show', behind: ['account'], examples: [`account show ${account}`] },
  ],
  get_statement: [
    {
      words: 'statement',
      behind: ['account'],
      examples: [
        `statement ${account} --from 2026-10-01 --to 2026-11-01`,
        `statement ${account} --from 2026-10-01 --to 2026-11-01 --csv > october.csv`,
      ],
    },
  ],
  note_account: [
    {
      words: 'account note',
      behind: ['account'],
      examples: [`account note ${account} --text 'documents requested' --reason 'large deposit'`],
    },
  ],
  freeze_account: [
    {
      words: 'account freeze',
      behind: ['account'],
      gives: { frozen: true },
      summary: 'Freeze an account: it can only cancel orders',
      examples: [`account freeze ${account} --reason 'its key was stolen'`],
    },
    {
      words: 'account unfreeze',
      behind: ['account'],
      gives: { frozen: false },
      summary: 'Unfreeze an account',
      examples: [`account unfreeze ${account} --reason 'the owner has a new key'`],
    },
  ],
  set_owner_limit: [
    {
      words: 'account owner-limit',
      behind: ['account', 'symbol', 'amount'],
      examples: [`account owner-limit ${account} BTC 500 --reason 'market maker'`],
    },
  ],
  cancel_orders: [
    {
      words: 'account cancel-orders',
      behind: ['account'],
      examples: [`account cancel-orders ${account} --reason 'requested by phone'`],
    },
  ],
  unbind_agent: [
    {
      words: 'agent unbind',
      behind: ['agent_wallet'],
      examples: ["agent unbind 9xQe… --reason 'key of a bot is public'"],
    },
  ],
  set_key_credits: [
    {
      words: 'key credits',
      behind: ['prefix', 'credits'],
      examples: ["key credits AbCd1234 6000 --reason 'market maker'"],
    },
  ],
  announce_incident: [
    {
      words: 'incidents announce',
      behind: ['title'],
      examples: [
        "incidents announce 'Prices are late' --impact degraded --text 'We look for it' --reason …",
      ],
    },
  ],
  update_incident: [
    {
      words: 'incidents update',
      behind: ['id', 'text'],
      examples: ["incidents update m5x2k-a1b2c3 'Cause found' --reason 'feed down'"],
    },
  ],
  resolve_incident: [
    {
      words: 'incidents resolve',
      behind: ['id', 'text'],
      examples: ["incidents resolve m5x2k-a1b2c3 'It is over' --reason 'feed back'"],
    },
  ],
  list_incidents: [{ words: 'incidents', examples: ['incidents'] }],
  get_prices: [{ words: 'prices', examples: ['prices', 'prices --json'] }],
  push_prices: [
    {
      words: 'prices push',
      behind: ['prices'],
      examples: [`prices push '[{"symbol":"BTC","price":"105000"}]'`],
    },
  ],
  get_hashes: [{ words: 'hash', examples: ['hash'] }],
  list_webhooks: [{ words: 'webhooks', examples: ['webhooks', 'webhooks --json'] }],
  tell_again: [
    {
      words: 'webhook tell-again',
      behind: ['name', 'from_seq'],
      examples: ["webhook tell-again payments 4711 --reason 'it was down for two days'"],
    },
  ],
  get_reserve_proof: [{ words: 'reserves proof', examples: ['reserves proof'] }],
  prove_reserves: [
    { words: 'reserves prove', examples: ["reserves prove --reason 'proof of the month'"] },
  ],
  back_up: [{ words: 'backup', examples: ["backup --reason 'before the upgrade'"] }],
  drain: [{ words: 'drain', examples: ["drain --reason 'stopping for the upgrade'"] }],
  get_token: [{ words: 'token', examples: ['token'] }],
  get_tokens: [{ words: 'tokens', examples: ['tokens'] }],
  get_operator_actions: [{ words: 'journal', examples: ['journal', 'journal --limit 20 --json'] }],
}
