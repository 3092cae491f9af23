// The agents of the account: their limits, and the possible loss if a key is stolen; creates new
// agents.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PolicyReply } from '../../../protocol/schemas/agent-requests.ts'
import {
  addressProblem,
  costText,
  draftOf,
  type Holdings,
  type PolicyDraft,
  type PolicyProblem,
  policyOf,
  policyProblem,
  policyRefusal,
  policyText,
} from '../../model/account/policy-draft.ts'
import { usd } from '../../model/number-text.ts'
import type { Terminal } from '../../model/terminal.ts'
import { useTerminal } from '../use-terminal.ts'
import { RevokeButton } from './revoke-button.tsx'

type Agent = Readonly<{
  agent_wallet: string
  policy: PolicyReply | null
  ips: readonly string[] | null
  day_loss: string
  expired: boolean
}>

export function AgentKeys() {
  const { trader, keyRing, trading } = useTerminal()
  const agents = useSignal<readonly Agent[]>([])
  /** The agent whose policy is open; empty for a new key. */
  const edited = useSignal<string | null>(null)
  const now = trader.value
  const load = async () => {
    const reply = await trading.ask('Agents', ({ client }) => client.listAgentWallets({}))
    agents.value = reply?.agents ?? []
  }
  useEffect(() => {
    if (trader.peek() !== null) void load()
  }, [now?.address, now?.agent])
  if (now === null) return <p class="dim">First a key, then an agent for it.</p>
  const done = async () => {
    edited.value = null
    await load()
  }
  const make = () => trading.act('Agent', () => keyRing.makeAgent())
  const revoke = async (agent: string) => {
    await trading.act('Agent', () => keyRing.revokeAgent(agent))
    await load()
  }
  const isBound = agents.value.some(({ agent_wallet }) => agent_wallet === now.agent)
  return (
    <div class="section">
      <p class="dim">
        An agent is a second key that may trade for the account, and cannot withdraw. Its policy
        says what it may do at most: a bot's key that is stolen then costs a sum that is known.
      </p>
      {agents.value.map((agent) => (
        <AgentRow
          key={agent.agent_wallet}
          agent={agent}
          signsHere={agent.agent_wallet === now.agent}
          edited={edited}
          revoke={revoke}
          done={done}
        />
      ))}
      {now.agent !== null && !isBound && <LostAgent agent={now.agent} />}
      {edited.value === '' && <PolicyForm agent={null} done={done} />}
      <div class="line">
        <button
          type="button"
          class="button"
          onClick={() => {
            edited.value = edited.value === '' ? null : ''
          }}
        >
          Bind a key with a policy
        </button>
        {now.agent === null && (
          <button type="button" class="button" onClick={make}>
            Make an agent and trade with it
          </button>
        )}
      </div>
    </div>
  )
}

function LostAgent({ agent }: { agent: string }) {
  const { keyRing } = useTerminal()
  return (
    <div class="line">
      <span class="mono">{agent}</span>
      <span class="warn">not bound any more</span>
      <span class="spacer" />
      <button type="button" class="button small" onClick={() => keyRing.leaveAgent()}>
        Stop using it
      </button>
    </div>
  )
}

type RowProps = Readonly<{
  agent: Agent
  signsHere: boolean
  edited: Signal<string | null>
  revoke: (agent: string) => Promise<void>
  done: () => Promise<void>
}>

function AgentRow({ agent, signsHere, edited, revoke, done }: RowProps) {
  const terminal = useTerminal()
  const { agent_wallet, policy, ips, day_loss, expired } = agent
  const opened = edited.value === agent_wallet
  const from = ips === null ? '' : `; from ${ips.join(' ')}`
  const lost = policy === null ? '' : `; ${usd(day_loss)} USD lost today`
  return (
    <div class="section agent" data-agent={agent_wallet}>
      <div class="line">
        <span class="mono">{agent_wallet}</span>
        {signsHere && <span class="chip">signs here</span>}
        {expired && <span class="chip">expired</span>}
        <span class="spacer" />
        <button
          type="button"
          class="button small"
          aria-expanded={opened}
          onClick={() => {
            edited.value = opened ? null : agent_wallet
          }}
        >
          Policy
        </button>
        <RevokeButton revoke={() => revoke(agent_wallet)} />
      </div>
      <p class="dim">
        {policy === null ? 'No policy: no limits' : policyText(policy, expired)}
        {from}
        {lost}
      </p>
      <p class={policy === null ? 'warn' : ''}>
        {expired ? 'It can do nothing.' : costText(policy, holdingsOf(terminal))}
      </p>
      {opened && <PolicyForm agent={agent} done={done} />}
    </div>
  )
}

function holdingsOf({ account, markets }: Terminal): Holdings {
  const positions = account.positions.value.map(({ s: symbol, a: size, p: entry }) => {
    const mark = Number(markets.prices.value.get(symbol)?.mark ?? entry)
    return { symbol, value: mark * Number(size) }
  })
  return { markets: markets.list.value.length, positions }
}

type FormProps = Readonly<{ agent: Agent | null; done: () => Promise<void> }>

/** Form for the policy of an agent, or of a key to be bound. */
function PolicyForm({ agent, done }: FormProps) {
  const terminal = useTerminal()
  const { trading, streams, markets } = terminal
  const engineNow = streams.engineNow()
  const draft = useSignal<PolicyDraft>(draftOf(agent?.policy ?? null, engineNow))
  const address = useSignal('')
  const refused = useSignal<PolicyProblem | null>(null)
  const known = markets.list.value.map(({ symbol }) => symbol)
  const typed = policyProblem(draft.value, known)
  const problem = typed ?? refused.value
  const policy = policyOf(draft.value, engineNow, { before: agent?.policy ?? null, known })
  const save = async () => {
    const agent_wallet = agent?.agent_wallet ?? address.peek().trim()
    refused.value = addressProblem(agent_wallet)
    if (refused.peek() !== null) return
    const saved = await trading.act(
      'Agent',
      ({ client }) =>
        agent === null
          ? client.bindAgentWallet({ agent_wallet, policy })
          : client.setAgentPolicy({ agent_wallet, policy }),
      {
        about: 'agent',
        refused: ({ message }) => {
          refused.value = policyRefusal(message)
        },
      },
    )
    if (saved) await done()
  }
  const remove = async () => {
    const body = { agent_wallet: agent!.agent_wallet, remove: true }
    if (await trading.act('Agent', ({ client }) => client.setAgentPolicy(body))) await done()
  }
  return (
    <form
      class="section policy"
      onInput={() => {
        refused.value = null
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {agent === null && <AddressField value={address} problem={problem} />}
      <PolicyFields draft={draft} problem={problem} />
      <p role="status">{typed === null && costText(policy, holdingsOf(terminal))}</p>
      <div class="line">
        <button type="submit" class="button primary" disabled={typed !== null}>
          {agent === null ? 'Bind it' : 'Set the policy'}
        </button>
        {agent !== null && agent.policy !== null && (
          <button type="button" class="button danger" onClick={remove}>
            Take the policy away
          </button>
        )}
      </div>
    </form>
  )
}

type Wrong = Readonly<{ problem: PolicyProblem | null }>

function WrongField({ problem, field }: Wrong & Pick<PolicyProblem, 'field'>) {
  if (problem?.field !== field) return null
  return (
    <span class="refusal" role="alert">
      {problem.message}
    </span>
  )
}

function AddressField({ value, problem }: Wrong & { value: Signal<string> }) {
  return (
    <label class="field">
      <span class="field-label">Address of the key</span>
      <input
        class="input mono"
        aria-invalid={problem?.field === 'address'}
        autocomplete="off"
        spellcheck={false}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value
        }}
      />
      <WrongField problem={problem} field="address" />
    </label>
  )
}

const fields = [
  ['symbols', 'Markets; empty: all', ''],
  ['slippage', 'Never worse than the mark by', '%'],
  ['position', 'Value of a position', 'USD'],
  ['order', 'Value of an order', 'USD'],
  ['loss', 'Loss of a day', 'USD'],
  ['days', 'Expires after', 'days'],
] as const

const flags = [
  ['postOnly', 'Post only'],
  ['reduceOnly', 'Reduce only'],
] as const

function PolicyFields({ draft, problem }: Wrong & { draft: Signal<PolicyDraft> }) {
  const change = (part: Partial<PolicyDraft>) => {
    draft.value = { ...draft.peek(), ...part }
  }
  return (
    <>
      <div class="two">
        {fields.map(([name, label, unit]) => (
          <label key={name} class="field">
            <span class="field-label">{label}</span>
            <span class="with-unit">
              <input
                class="input"
                inputMode={name === 'symbols' ? 'text' : 'decimal'}
                autocomplete="off"
                aria-invalid={problem?.field === name}
                value={draft.value[name]}
                onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
              />
              {unit !== '' && <span class="unit">{unit}</span>}
            </span>
            <WrongField problem={problem} field={name} />
          </label>
        ))}
      </div>
      <div class="checks">
        {flags.map(([name, label]) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={draft.value[name]}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
            />
            {label}
          </label>
        ))}
      </div>
    </>
  )
}
