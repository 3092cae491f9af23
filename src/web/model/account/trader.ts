// The trader: a key in this browser, an agent's key that signs for an account, or a wallet. A
// secret leaves the browser's storage only when its owner exports it.

import { type Signal, signal } from '@preact/signals'
import { Client } from '../../../client/client.ts'
import { type Key, keyOfSecret, newKey, type Signer } from '../../../client/key.ts'
import type { VenueReplaced } from '../../../client/venues/venue-guard.ts'
import type { Storage } from '../preferences.ts'
import { keptVenues, venueName } from '../venues/kept-venues.ts'
import { seenName } from './seen.ts'

export type TraderKind = 'key' | 'wallet'

export type Trader = Readonly<{
  client: Client
  address: string
  kind: TraderKind
  /** Address of the agent's key that signs orders; `null` if the account signs itself. */
  agent: string | null
  /** Whether reads are authenticated, by a signature or an API key. Not with a wallet alone, which
   *  would prompt its user for each signature. */
  readsAsOwner: boolean
}>

const keyName = 'openperp.key'
const walletName = 'openperp.wallet'
const agentName = (address: string) => `openperp.agent.${address}`
const apiKeyName = (address: string) => `openperp.api-key.${address}`

export class KeyRing {
  readonly now: Signal<Trader | null> = signal(null)
  private readonly url: string
  private readonly storage: Storage
  /** The key in this browser, if any. */
  private key: Key | null = null
  private wallet: Signer | null = null
  private readonly venueReplaced: (change: VenueReplaced) => void

  constructor(url: string, storage: Storage, venueReplaced: (change: VenueReplaced) => void) {
    this.url = url
    this.storage = storage
    this.venueReplaced = venueReplaced
  }

  /** Restores the trader of an earlier visit; returns `false` for a wallet, which has to be found
   *  and connected first. */
  resume(): boolean {
    this.key = this.storedKey()
    if (this.expectedWallet() !== null) return true
    this.open()
    return this.key !== null
  }

  /** Name of the wallet that traded last. */
  expectedWallet(): string | null {
    return this.storage.get(walletName)
  }

  create(): string {
    const key = newKey()
    this.use(key)
    return key.address
  }

  /** Imports a secret; throws if it is invalid. */
  import(secret: string): void {
    this.use(keyOfSecret(secret.trim()))
  }

  /** Whether a new key would replace one that may exist nowhere else. */
  hasKey(): boolean {
    return this.key !== null
  }

  /** The secret for export; `null` if a wallet keeps it. */
  secret(): string | null {
    return this.wallet === null ? (this.key?.secret ?? null) : null
  }

  forget(): void {
    if (this.key !== null) {
      const { address } = this.key
      this.removeVenues(address)
      for (const name of [agentName, apiKeyName, seenName]) this.storage.remove(name(address))
    }
    this.storage.remove(keyName)
    this.key = null
    this.open()
  }

  /** Removes the key's binding. The next exchange that it signs for becomes its exchange. */
  forgetVenue(): void {
    const trader = this.now.peek()
    if (trader === null) return
    this.removeVenues(trader.address)
    this.open()
  }

  private removeVenues(address: string): void {
    const agent = this.agentOf(address)
    for (const each of [address, ...(agent === undefined ? [] : [agent.address])])
      this.storage.remove(venueName(each))
  }

  private agentOf(address: string): Key | undefined {
    const stored = this.storage.get(agentName(address))
    return stored === null ? undefined : keyOfSecret(stored)
  }

  useWallet(name: string, signer: Signer): void {
    this.wallet = signer
    this.storage.set(walletName, name)
    this.open()
  }

  /** Disconnects the wallet, and restores the key of this browser, if any. */
  leaveWallet(): void {
    this.wallet = null
    this.storage.remove(walletName)
    this.open()
  }

  /** Creates a key that may only trade for the account, and binds it with a signature of the
   *  account's key. */
  async makeAgent(): Promise<void> {
    const trader = this.now.peek()
    if (trader === null) return
    const agent = newKey()
    await trader.client.bindAgentWallet({ agent_wallet: agent.address })
    this.storage.set(agentName(trader.address), agent.secret)
    this.open()
  }

  async revokeAgent(agent: string): Promise<void> {
    const trader = this.now.peek()
    if (trader === null) return
    await trader.client.revokeAgentWallet({ agent_wallet: agent })
    if (agent === trader.agent) this.leaveAgent()
  }

  /** Returns to the account's own key. */
  leaveAgent(): void {
    const trader = this.now.peek()
    if (trader !== null) this.storage.remove(agentName(trader.address))
    this.open()
  }

  /** Creates an API key to authenticate reads, for exchanges that show accounts only to their
   *  owners. */
  async makeApiKey(): Promise<void> {
    const trader = this.now.peek()
    if (trader === null) return
    // A revoked key would make this request fail, so it is removed first.
    this.storage.remove(apiKeyName(trader.address))
    this.open()
    const { data } = await this.now.peek()!.client.createApiKey()
    this.storage.set(apiKeyName(trader.address), data.api_key)
    this.open()
  }

  /** Removes this browser's API key if it was revoked. The list of keys shows only prefixes. */
  leaveApiKey(prefix: string): void {
    const trader = this.now.peek()
    if (trader === null) return
    if (!this.storage.get(apiKeyName(trader.address))?.startsWith(prefix)) return
    this.storage.remove(apiKeyName(trader.address))
    this.open()
  }

  private use(key: Key): void {
    if (this.key !== null) this.forget()
    this.key = key
    this.storage.set(keyName, key.secret)
    this.leaveWallet()
  }

  private storedKey(): Key | null {
    const secret = this.storage.get(keyName)
    if (secret === null) return null
    try {
      return keyOfSecret(secret)
    } catch {
      // An unreadable key is treated as missing.
      return null
    }
  }

  private open(): void {
    const signer = this.wallet ?? this.key
    if (signer === null) {
      this.now.value = null
      return
    }
    const { address } = signer
    const agent = this.agentOf(address)
    const venues = keptVenues(this.storage)
    const onVenueReplaced = this.venueReplaced
    const apiKey = this.storage.get(apiKeyName(address)) ?? undefined
    this.now.value = {
      client: new Client({ url: this.url, signer, agent, apiKey, venues, onVenueReplaced }),
      address,
      kind: this.wallet === null ? 'key' : 'wallet',
      agent: agent?.address ?? null,
      readsAsOwner: this.wallet === null || agent !== undefined || apiKey !== undefined,
    }
  }
}
