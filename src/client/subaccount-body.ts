// The body that makes a subaccount: two keys sign that one becomes the other's.

import {
  type SigningHeader,
  subaccountConfirmText,
  subaccountInitiateText,
} from '../protocol/signing-text.ts'
import type { Signer } from './key.ts'
import { signatureOf } from './signature.ts'

export async function subaccountBody(main: Signer, sub: Signer, header: SigningHeader) {
  const initiate = subaccountInitiateText(main.address, header)
  const subSignature = await signatureOf(sub, initiate)
  const mainSignature = await signatureOf(main, subaccountConfirmText(subSignature, header))
  return {
    main_account: main.address,
    subaccount: sub.address,
    main_signature: mainSignature,
    sub_signature: subSignature,
    ...header,
  }
}
