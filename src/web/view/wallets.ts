// Finds Solana wallets in the browser by the Wallet Standard: the page announces that it is ready,
// and each wallet registers itself. No wallet is called before its button is pressed.

import type { Signer } from '../../client/key.ts'
import type { Terminal } from '../model/terminal.ts'
import { sentence } from '../model/words/sentence.ts'

type Account = Readonly<{ address: string; publicKey: Uint8Array; features: readonly string[] }>

type Connect = Readonly<{
  /** `silent`: connects only if the owner has approved the page before, without a prompt. */
  connect(how?: Readonly<{ silent: boolean }>): Promise<Readonly<{ accounts: readonly Account[] }>>
}>
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

/** Calls `onFound` with the wallets found so far, and again when another one registers. */
export function walletsHere(onFound: (wallets: readonly FoundWallet[]) => void): () => void {
  const found: FoundWallet[] = []
  const register = (...wallets: readonly FoundWallet[]) => {
    found.push(...wallets.filter((wallet) => fits(wallet) && !found.includes(wallet)))
    onFound([...found])
    return () => undefined
  }
  const api = Object.freeze({ register })
  const onRegister = (event: Event) =>
    (event as CustomEvent<(api: { register: typeof register }) => void>).detail(api)
  window.addEventListener('wallet-standard:register-wallet', onRegister)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => window.removeEventListener('wallet-standard:register-wallet', onRegister)
}

/** Connects to a wallet; returns its first account as a signer for the terminal. */
export async function connectWallet(wallet: FoundWallet, onlyApproved = false): Promise<Signer> {
  const { connect } = wallet.features[connectFeature] as Connect
  const { accounts } = await connect(onlyApproved ? { silent: true } : undefined)
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

/** Time in ms that extensions have to register after the page is loaded. Later ones count as
 *  missing. */
const patienceMs = 3_000

/** Reconnects to the wallet of the last visit, if it is still installed and approved. */
export async function resumeWallet(terminal: Terminal): Promise<void> {
  const { keyRing, notices } = terminal
  const name = keyRing.expectedWallet()
  if (name === null) return
  try {
    keyRing.useWallet(name, await connectWallet(await walletNamed(name), true))
  } catch (error) {
    // The key of this browser is another account, so it must not silently replace the wallet.
    notices.show({
      kind: 'warning',
      title: `${name} is not connected`,
      text: sentence((error as Error).message),
      stays: true,
      link: { label: 'Keys', open: () => terminal.open({ show: 'keys' }) },
    })
  }
}

function walletNamed(name: string): Promise<FoundWallet> {
  let stop: () => void = () => undefined
  const looking = new Promise<FoundWallet>((resolve, reject) => {
    setTimeout(() => reject(new Error('it is not in this browser any more')), patienceMs)
    stop = walletsHere((wallets) => {
      const wallet = wallets.find((each) => each.name === name)
      if (wallet !== undefined) resolve(wallet)
    })
  })
  return looking.finally(stop)
}
