// Checks a receipt without the exchange, and without the commands of others.

import { verify } from '#ed25519'
import {
  checkpointText,
  commandLeaf,
  frameLeaf,
  frameText,
  nodeOver,
  siblingSides,
} from '../../protocol/text/receipt-texts.ts'
import type { Checkpoint, FrameProof, Receipt } from './documents.ts'

/** What a receipt proves. */
export type VerifiedReceipt = Readonly<{
  /** The journal entry that is the command. */
  seq: number
  /** `true`: a signed checkpoint covers it; `false`: none did when the receipt was made. */
  inCheckpoint: boolean
  /** SHA-256 of the signed text of the request, hexadecimal; `null`: it was not signed. */
  textHash: string | null
}>

/** The exchange has not signed what the receipt says. */
export class ReceiptInvalid extends Error {
  /** Name of the class. */
  override readonly name = 'ReceiptInvalid'
}

/** Throws `ReceiptInvalid` unless the key signed that this command has this place in history.
 *  `publicKey`: the key that the exchange published, hexadecimal; without it, the receipt's own. */
export async function verifyReceipt(
  receipt: Receipt,
  { publicKey }: Readonly<{ publicKey?: string }> = {},
): Promise<VerifiedReceipt> {
  const { venue, seq, frame, inclusion } = receipt
  const record = bytesOf(receipt.record)
  const leaf = await sha256(commandLeaf(bytesOf(receipt.salt), record))
  const place = { index: seq - frame.first_seq, leaves: frame.count, path: receipt.path }
  if ((await rootOver(leaf, place)) !== frame.root)
    throw new ReceiptInvalid('the command is not at this place of its frame')
  requireKey(frame.public_key, publicKey)
  requireSigned('the frame', frameText(venue, frame.root, frame), frame)
  if (inclusion !== null) await verifyFrame({ venue, seq, frame, ...inclusion }, publicKey)
  return { seq, inCheckpoint: inclusion !== null, textHash: textHashOf(record) }
}

/** Throws `ReceiptInvalid` unless the frame is in its checkpoint, and has the entry. */
export async function verifyFrame(proof: FrameProof, publicKey?: string): Promise<void> {
  const { venue, seq, frame, index, path, checkpoint } = proof
  verifyCheckpoint(venue, checkpoint, publicKey)
  const leaf = await sha256(frameLeaf(frame))
  if ((await rootOver(leaf, { index, leaves: checkpoint.frames, path })) !== checkpoint.root)
    throw new ReceiptInvalid('the frame is not in the checkpoint')
  if (seq < frame.first_seq || seq >= frame.first_seq + frame.count)
    throw new ReceiptInvalid(`entry ${seq} is not in the frame`)
}

/** Throws `ReceiptInvalid` unless the checkpoint is signed. */
export function verifyCheckpoint(venue: string, checkpoint: Checkpoint, publicKey?: string): void {
  requireKey(checkpoint.public_key, publicKey)
  requireSigned('the checkpoint', checkpointText(venue, checkpoint), checkpoint)
}

type Signed = Readonly<{ public_key: string; signature: string }>

function requireSigned(what: string, text: string, { public_key, signature }: Signed): void {
  if (verify(bytesOf(public_key), new TextEncoder().encode(text), bytesOf(signature))) return
  throw new ReceiptInvalid(`the signature of ${what} is wrong`)
}

function requireKey(key: string, expected = key): void {
  if (key === expected.toLowerCase()) return
  throw new ReceiptInvalid(`it is signed by ${key}, not by ${expected}`)
}

type TreePlace = Readonly<{ index: number; leaves: number; path: readonly string[] }>

/** The root that results from a leaf and its siblings. */
async function rootOver(leaf: Uint8Array, { index, leaves, path }: TreePlace): Promise<string> {
  if (!(Number.isSafeInteger(leaves) && index >= 0 && index < leaves && leaves <= leavesMax))
    throw new ReceiptInvalid(`place ${index} of ${leaves} is not in a tree`)
  const sides = siblingSides(index, leaves)
  if (sides.length !== path.length)
    throw new ReceiptInvalid(`the path has ${path.length} siblings instead of ${sides.length}`)
  let node = leaf
  for (const [at, side] of sides.entries()) {
    const sibling = bytesOf(path[at]!)
    node = await sha256(side === 'left' ? nodeOver(sibling, node) : nodeOver(node, sibling))
  }
  return hexOf(node)
}

const leavesMax = 2 ** 31 - 1

async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

function bytesOf(hex: string): Uint8Array {
  if (typeof hex !== 'string' || !/^([0-9a-f]{2})*$/.test(hex))
    throw new ReceiptInvalid(`not hexadecimal: ${String(hex).slice(0, 80)}`)
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Where a record has its flags, and the hash of the signed text, if it has one. */
const flagsAt = 4
const hashAt = 72
const hashBytes = 32
/** The hash is there, as bytes. */
const signedFlags = [1, 3] as const

function textHashOf(record: Uint8Array): string | null {
  const [signed, mask] = signedFlags
  if ((record[flagsAt]! & mask) !== signed || record.length < hashAt + hashBytes) return null
  return hexOf(record.subarray(hashAt, hashAt + hashBytes))
}
