// Keys: the key in this browser, an agent's key, wallets, and API keys.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keyOfSecret } from '../../../client/key.ts'
import { importWarning } from '../../model/venues/venue-notices.ts'
import { Tabs } from '../parts/choice.tsx'
import { Dialog, Numbers } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'
import { connectWallet, type FoundWallet, walletsHere } from '../wallets.ts'
import { AgentKeys } from './agent-list.tsx'
import { ApiKeys } from './api-key-list.tsx'
import { KeyVenue } from './key-venue.tsx'

export function KeysDialog() {
  const terminal = useTerminal()
  const tab = useSignal<'key' | 'agent' | 'api'>('key')
  return (
    <Dialog title="Keys" wide onClose={() => terminal.close()}>
      <Tabs
        label="Keys"
        value={tab.value}
        options={[
          { value: 'key', label: 'Your key' },
          { value: 'agent', label: 'Agents' },
          { value: 'api', label: 'API keys' },
        ]}
        onChange={(next) => {
          tab.value = next
        }}
      />
      {tab.value === 'key' && <YourKey />}
      {tab.value === 'agent' && <AgentKeys />}
      {tab.value === 'api' && <ApiKeys />}
    </Dialog>
  )
}

function YourKey() {
  const { trader } = useTerminal()
  const now = trader.value
  return (
    <>
      {now === null ? (
        <NoTrader />
      ) : (
        <div class="section">
          <Numbers
            rows={[
              [
                'Address',
                <span key="address" class="mono">
                  {now.address}
                </span>,
              ],
              ['Kept by', now.kind === 'wallet' ? 'a wallet' : 'this browser'],
            ]}
          />
          <KeyVenue />
          {now.kind === 'key' ? <OwnKey /> : <LeaveWallet />}
        </div>
      )}
      <BringKey />
      <Wallets />
    </>
  )
}

function NoTrader() {
  const { keyRing } = useTerminal()
  if (!keyRing.hasKey())
    return <p class="dim">No key here. Make one, bring one, or connect a wallet.</p>
  return (
    <div class="line">
      <span class="dim">{keyRing.expectedWallet()} is not connected.</span>
      <button type="button" class="button" onClick={() => keyRing.leaveWallet()}>
        Trade with the key of this browser
      </button>
    </div>
  )
}

/** Asks for confirmation if a key that may exist nowhere else could be lost. */
function useLosing() {
  const terminal = useTerminal()
  return (title: string, act: () => void) => {
    if (!terminal.keyRing.hasKey()) return act()
    const text = 'The key of this browser is deleted here. Without an export it is lost.'
    const keys = () => terminal.open({ show: 'keys' })
    const done = () => {
      act()
      keys()
    }
    terminal.open({ show: 'confirm', title, text, act: done, back: keys })
  }
}

function OwnKey() {
  const { keyRing } = useTerminal()
  const losing = useLosing()
  const forget = () => losing('Forget the key', () => keyRing.forget())
  return (
    <>
      <Secret />
      <div class="line">
        <button type="button" class="button danger" onClick={forget}>
          Remove key from this browser
        </button>
      </div>
    </>
  )
}

function LeaveWallet() {
  const { keyRing } = useTerminal()
  return (
    <div class="line">
      <button type="button" class="button" onClick={() => keyRing.leaveWallet()}>
        Disconnect
      </button>
      <span class="dim">
        {keyRing.hasKey() ? 'Then the key of this browser trades.' : 'Then this page cannot trade.'}
      </span>
    </div>
  )
}

function Secret() {
  const { keyRing } = useTerminal()
  const shown = useSignal(false)
  return (
    <div class="line">
      <button
        type="button"
        class="button"
        onClick={() => {
          shown.value = !shown.value
        }}
      >
        {shown.value ? 'Hide the secret' : 'Reveal secret key'}
      </button>
      {shown.value && (
        <input class="input mono" readOnly aria-label="Secret key" value={keyRing.secret() ?? ''} />
      )}
    </div>
  )
}

function BringKey() {
  const terminal = useTerminal()
  const text = useSignal('')
  const wrong = useSignal('')
  const losing = useLosing()
  const bring = () => {
    const secret = text.peek()
    try {
      keyOfSecret(secret.trim())
    } catch (error) {
      wrong.value = (error as Error).message
      return
    }
    text.value = ''
    wrong.value = ''
    losing('Replace the key', () => terminal.importKey(secret))
  }
  const make = () => losing('Replace the key', () => void terminal.keyRing.create())
  return (
    <div class="section">
      <div class="line">
        <input
          class="input mono"
          type="password"
          autocomplete="off"
          placeholder="Secret key, base58"
          aria-label="Secret key to import"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
        <button type="button" class="button" disabled={text.value === ''} onClick={bring}>
          Import
        </button>
        <button type="button" class="button" onClick={make}>
          Make a new one
        </button>
      </div>
      {text.value !== '' && <p class="warn">{importWarning}</p>}
      {wrong.value !== '' && <p class="refusal">{wrong.value}</p>}
      <p class="dim">
        The key of an agent has no money: imported here it is an account of its own, with nothing in
        it. It trades for its owner in a bot, or here under Agents of the owner's key.
      </p>
    </div>
  )
}

function Wallets() {
  const terminal = useTerminal()
  const wallets = useSignal<readonly FoundWallet[]>([])
  useEffect(
    () =>
      walletsHere((found) => {
        wallets.value = found
      }),
    [wallets],
  )
  const connect = async (wallet: FoundWallet) => {
    const link = { label: 'Keys', open: () => terminal.open({ show: 'keys' }) }
    try {
      terminal.keyRing.useWallet(wallet.name, await connectWallet(wallet))
      terminal.close()
      terminal.notices.show({
        kind: 'good',
        title: `${wallet.name} is connected`,
        text: 'It confirms each order. An agent signs without confirmation.',
        link,
      })
    } catch (error) {
      const text = (error as Error).message
      terminal.notices.show({ kind: 'bad', title: `${wallet.name} did not connect`, text, link })
    }
  }
  return (
    <div class="section">
      <h3>Wallets</h3>
      {wallets.value.length === 0 ? (
        <p class="dim">No Solana wallet is installed in this browser.</p>
      ) : (
        <div class="line">
          {wallets.value.map((wallet) => (
            <button key={wallet.name} type="button" class="button" onClick={() => connect(wallet)}>
              {wallet.name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
