// Solana wallets in the browser, found by the wallet standard: the page says that it is ready, and
// each wallet registers itself. Nothing is asked of a wallet before its button is pressed.

import type { Signer } from '../../client/key.ts'

type Account = Readonly<{ address: string; publicKey: Uint8Array; features: readonly string[] }>

type Connect = Readonly<{ connect(): Promise<Readonly<{ accounts: readonly Account[] }>> }>
type SignMessage = Readonly<{
  signMessage(
    ...inputs: readonly Readonly<{ account: Account; message: Uint8Array }>[]
  ): Promise<readonly Readonly<{ signature: Uint8Array }>[]>
}>

export type FoundWallet = Readonly<{
  name: string
  chains: readonly string[]
  features: Readonly<Record<string, unknown>>
}>

const signFeature = 'solana:signMessage'
const connectFeature = 'standard:connect'

const fits = ({ chains, features }: FoundWallet) =>
  chains.some((chain) => chain.startsWith('solana:')) &&
  signFeature in features &&
  connectFeature in features

/** Tells the wallets found so far, and again when one more registers. */
export function walletsHere(tell: (wallets: readonly FoundWallet[]) => void): () => void {
  const found: FoundWallet[] = []
  const register = (...wallets: readonly FoundWallet[]) => {
    found.push(...wallets.filter(fits))
    tell([...found])
    return () => undefined
  }
  const api = Object.freeze({ register })
  const onRegister = (event: Event) =>
    (event as CustomEvent<(api: { register: typeof register }) => void>).detail(api)
  window.addEventListener('wallet-standard:register-wallet', onRegister)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => window.removeEventListener('wallet-standard:register-wallet', onRegister)
}

/** Its first account, as what signs for the terminal. */
export async function connectWallet(wallet: FoundWallet): Promise<Signer> {
  const { connect } = wallet.features[connectFeature] as Connect
  const { accounts } = await connect()
  const account = accounts.find(({ features }) => features.includes(signFeature)) ?? accounts[0]
  if (account === undefined) throw new Error('it has no account')
  const { signMessage } = wallet.features[signFeature] as SignMessage
  return {
    address: account.address,
    async sign(_text, message) {
      const [signed] = await signMessage({ account, message })
      if (signed === undefined) throw new Error('nothing was signed')
      return signed.signature
    },
  }
}
