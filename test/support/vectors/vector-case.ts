// The signers of the published vectors, and the fields that all of them have.

import { type Signer, signerOf } from '../signer.ts'

export const account = signerOf(1)
export const agent = signerOf(2)
export const subaccount = signerOf(3)
export const timestamp = 1_716_200_000_000
export const header = { account: account.address, timestamp, expiry_window: 30_000 }
/** Id of the exchange that the vectors are for. */
export const venue = '000102030405060708090a0b0c0d0e0f'
export const clientOrderId = '57a5efb1-bb96-49a5-8bfd-f25d5f22bc7e'

export type Fields = Readonly<Record<string, unknown>>
export type Case = Readonly<{
  name: string
  type: string
  body: Fields
  text: string
  signer?: Signer
}>
