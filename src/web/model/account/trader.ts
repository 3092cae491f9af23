// Who trades here: a key kept in this browser, an agent's key that signs for an account, or a
// wallet. A secret leaves the browser's store only when its owner exports it.

import { type Signal, signal } from '@preact/signals'
import { Client } from '../../../client/client.ts'
import { type Key, keyOfSecret, newKey, type Signer } from '../../../client/key.ts'
import type { Storage } from '../preferences.ts'

export type TraderKind = 'key' | 'wallet'

export type Trader = Readonly<{
  client: Client
  address: string
  kind: TraderKind
  /** Address of the key that signs orders, when it is an agent's. */
  agent: string | null
}>

const keyName = 'openperp.key'
const agentName = (address: string) => `openperp.agent.${address}`

export class KeyRing {
  readonly now: Signal<Trader | null> = signal(null)
  private readonly url: string
  private readonly storage: Storage
  /** The key kept here, if it is one. */
  private key: Key | null = null
  private wallet: Signer | null = null

  constructor(url: string, storage: Storage) {
    this.url = url
    this.storage = storage
  }

  /** The key of an earlier visit. */
  resume(): boolean {
    const secret = this.storage.get(keyName)
    if (secret === null) return false
    try {
      this.key = keyOfSecret(secret)
    } catch {
      // Not one of ours any more: as good as none.
      return false
    }
    this.open()
    return true
  }

  create(): string {
    this.key = newKey()
    this.storage.set(keyName, this.key.secret)
    this.wallet = null
    this.open()
    return this.key.address
  }

  /** Throws what is wrong with the secret. */
  import(secret: string): void {
    this.key = keyOfSecret(secret.trim())
    this.storage.set(keyName, this.key.secret)
    this.wallet = null
    this.open()
  }

  /** For its owner's eyes; null when a wallet keeps it. */
  secret(): string | null {
    return this.wallet === null ? (this.key?.secret ?? null) : null
  }

  forget(): void {
    const address = this.now.peek()?.address
    if (address !== undefined) this.storage.remove(agentName(address))
    this.storage.remove(keyName)
    this.key = null
    this.wallet = null
    this.now.value = null
  }

  useWallet(signer: Signer): void {
    this.wallet = signer
    this.open()
  }

  /** A new key that may trade for the account and do nothing else; bound by the account's own. */
  async makeAgent(): Promise<void> {
    const trader = this.now.peek()
    if (trader === null) return
    const agent = newKey()
    await trader.client.bindAgentWallet({ agent_wallet: agent.address })
    this.storage.set(agentName(trader.address), agent.secret)
    this.open()
  }

  async dropAgent(): Promise<void> {
    const trader = this.now.peek()
    if (trader?.agent == null) return
    await trader.client.revokeAgentWallet({ agent_wallet: trader.agent })
    this.storage.remove(agentName(trader.address))
    this.open()
  }

  private open(): void {
    const signer = this.wallet ?? this.key
    if (signer === null) return
    const { address } = signer
    const stored = this.storage.get(agentName(address))
    const agent = stored === null ? undefined : keyOfSecret(stored)
    this.now.value = {
      client: new Client({ url: this.url, signer, agent }),
      address,
      kind: this.wallet === null ? 'key' : 'wallet',
      agent: agent?.address ?? null,
    }
  }
}
