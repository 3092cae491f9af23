// The exchange, the account and the key of one run of `openperp mcp`, and the orders that were
// previewed in it.

import type { Client } from '../../client/client.ts'
import { ApiRefusal } from '../../client/errors.ts'
import type { Key } from '../../client/key.ts'
import type { RouteName } from '../../protocol/routes.ts'
import { accountIfAny, type accountOptions, clientOf } from '../connection.ts'
import type { Call } from '../frame/command.ts'
import { CliError } from '../frame/exit-codes.ts'
import { keyIfAny } from '../key-source.ts'
import type { Params } from './json-rpc.ts'

/** Maximum number of previews that can be placed, and for how long. */
const previewsMax = 100
const previewMs = 300_000

const hint =
  '`openperp key new --key-file bot.key` makes a key and prints its address; `openperp agent ' +
  'bind ADDRESS --max-position 5000 --max-order 1000 --max-loss 100 --max-slippage 2`, with the ' +
  'key of the account, gives it a policy; then `openperp mcp --account ACCOUNT --key-file ' +
  'bot.key` trades within it (docs/api/keys.md)'

const refused = (message: string) => new CliError('refused', message, { hint })

export type Placement = Readonly<{ operation: RouteName; body: Params }>
type Previewed = Placement & Readonly<{ at: number }>

export class Session {
  readonly client: Client
  readonly account: string | null
  /** The key if it is that of an agent; `null` for the account's own key, and without one. */
  readonly agent: Key | null
  readonly allowTrading: boolean
  private readonly hasKey: boolean
  private sandbox: boolean | null = null
  private readonly previews = new Map<string, Previewed>()
  private newest = 0

  constructor(call: Call<typeof accountOptions>, allowTrading: boolean) {
    const key = keyIfAny(call.values, call.environment)?.key
    const account = accountIfAny(call)
    const agent = key === undefined || key.address === account ? undefined : key
    const signer = agent === undefined ? key : undefined
    this.client = clientOf(call, signer, { account: account ?? undefined, agent })
    this.account = account
    this.agent = agent ?? null
    this.allowTrading = allowTrading
    this.hasKey = key !== undefined
  }

  async isSandbox(): Promise<boolean> {
    this.sandbox ??= (await this.client.getVenue({})).sandbox
    return this.sandbox
  }

  /** Throws unless the key is an agent's with a policy, which limits what the model can lose. */
  async requirePolicy(signal: AbortSignal): Promise<void> {
    if (!this.hasKey) throw refused('tools that trade need the key of an agent, and there is none')
    if (this.agent === null)
      throw refused(
        'tools that trade need the key of an agent with a policy, not the own key of the account',
      )
    const { policy, expired } = await this.policyOf(this.agent, signal)
    if (policy === null) throw refused(`the key ${this.agent.address} has no policy`)
    if (expired) throw refused(`the policy of the key ${this.agent.address} has expired`)
  }

  private async policyOf({ address }: Key, signal: AbortSignal) {
    try {
      return await this.client.getAgentPolicy({ agent_wallet: address }, { signal })
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      throw refused(`the policy of the key ${address} cannot be read: ${error.message}`)
    }
  }

  /** Returns the id with which the order can be placed. */
  keep(placement: Placement): string {
    const id = `p${++this.newest}`
    this.previews.set(id, { ...placement, at: performance.now() })
    const [oldest] = this.previews.keys()
    if (this.previews.size > previewsMax) this.previews.delete(oldest!)
    return id
  }

  /** The order, which can be placed once. */
  take(id: unknown): Placement {
    const found = this.previews.get(`${id}`)
    this.previews.delete(`${id}`)
    if (found !== undefined && performance.now() - found.at <= previewMs) return found
    throw new CliError(
      'refused',
      `preview_id ${id} is unknown, already placed, or older than ${previewMs / 60_000} minutes`,
      { hint: 'call preview_order again, and pass on the preview_id that it returns' },
    )
  }
}
