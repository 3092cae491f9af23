// The body that makes an address a subaccount: the new key signs whose it wants to be, the main
// account's key signs that signature.

import type { Signer } from '../../../src/client/key.ts'
import { signatureOf } from '../../../src/client/signature.ts'
import {
  subaccountConfirmText,
  subaccountInitiateText,
} from '../../../src/protocol/signing-text.ts'
import { freshTimestamp, type Row } from './api-client.ts'

export async function subaccountBody(
  main: Signer,
  sub: Signer,
  timestamp = freshTimestamp(),
): Promise<Row> {
  const header = { timestamp }
  const sub_signature = await signatureOf(sub, subaccountInitiateText(main.address, header))
  const main_signature = await signatureOf(main, subaccountConfirmText(sub_signature, header))
  const addresses = { main_account: main.address, subaccount: sub.address }
  return { ...addresses, main_signature, sub_signature, timestamp }
}
