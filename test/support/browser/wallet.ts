// A wallet extension, as the wallet standard has them.

import type { Page } from 'playwright-core'
import type { Key } from '../../../src/client/key.ts'

/** A wallet as browsers have them by the wallet standard: it registers itself, accepts a connection
 *  and signs bytes. Its key is out of the page's reach. */
export async function installWallet(page: Page, key: Key): Promise<void> {
  await page.exposeFunction('signAsWallet', (message: number[]) =>
    key.sign(new TextDecoder().decode(new Uint8Array(message))),
  )
  await page.addInitScript(`
    const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    const bytesOf = (text) => {
      let number = 0n
      for (const digit of text) number = number * 58n + BigInt(digits.indexOf(digit))
      const hex = number.toString(16).padStart(128, '0')
      return Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16))
    }
    const account = { address: '${key.address}', features: ['solana:signMessage'], chains: [] }
    const wallet = {
      version: '1.0.0', name: 'Pocket', chains: ['solana:mainnet'], accounts: [],
      features: {
        'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
        'solana:signMessage': {
          version: '1.0.0',
          signMessage: async ({ message }) => {
            const signature = bytesOf(await window.signAsWallet([...message]))
            return [{ signedMessage: message, signature }]
          },
        },
      },
    }
    const register = ({ register }) => register(wallet)
    window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
    window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  `)
}

export async function connectPocket(page: Page): Promise<void> {
  await page.keyboard.press('k')
  await page.getByRole('button', { name: 'Pocket' }).click()
  await page.getByText('Pocket is connected').waitFor()
}
