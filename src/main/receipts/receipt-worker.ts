// The thread that makes checkpoints and receipts. It reads the files of the journal, so that the
// trading thread neither hashes nor signs anything for them.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { eachRecord, type Frame, sealLength } from '../../journal/frame.ts'
import { listSegments, segmentHeadLength } from '../../journal/segment.ts'
import { listSnapshots } from '../../journal/snapshot-files.ts'
import type { Checkpoint, FrameProof } from '../../protocol/schemas/proofs/receipts.ts'
import {
  checkpointText,
  commandLeaf,
  frameLeaf,
  frameText,
} from '../../protocol/text/receipt-texts.ts'
import { accountOf } from '../../sequencer/cancels.ts'
import { type DataFolder, readDataFolder } from '../../sequencer/data-folder.ts'
import { CheckpointFile } from './checkpoint-file.ts'
import { HashTree, sha256 } from './hash-tree.ts'
import { type FramePlace, framesFrom, segmentOf } from './read-frames.ts'
import { type ReceiptKeys, receiptKeysIn } from './receipt-keys.ts'
import type { OwnedReceipt, ReceiptJob, ReceiptJobs } from './receipts.ts'

/** Hexadecimal digits of a state hash, which is the end of the content of a snapshot. */
const stateHashLength = 64
/** Maximum number of checkpoints of a request. */
const newestMax = 1_000

type Opened = Readonly<{ folder: DataFolder; keys: ReceiptKeys; checkpoints: CheckpointFile }>

/** Where the next checkpoint begins, so that it reads only what is new. */
let reached: Readonly<{ seq: number; next: FramePlace }> | null = null

const lastOf = ({ firstSeq, count }: Frame) => firstSeq + count - 1
const statementOf = ({ firstSeq, count, seal }: Frame) => ({
  first_seq: firstSeq,
  count,
  seal: seal.toString('hex'),
})

/** All frames with entries from `from` to `to`. */
function* framesOf({ folder }: Opened, from: number, to: number) {
  const segment = segmentOf(folder.journal, from)
  if (segment === null) return
  const isOnWay = reached !== null && reached.seq < from && reached.seq >= segment - 1
  const start = isOnWay ? reached!.next : { segment, offset: segmentHeadLength }
  for (const placed of framesFrom(folder.journal, start, to))
    if (lastOf(placed.frame) >= from) yield placed
}

const jobs: { readonly [K in keyof ReceiptJobs]: (...args: never[]) => unknown } = {
  newest({ folder, keys, checkpoints }: Opened, limit: number) {
    const { venue } = folder
    return {
      venue,
      public_key: keys.publicKey,
      checkpoints: checkpoints.newest(Math.min(limit, newestMax)),
    }
  },

  /** Covers everything since the last one; `null` if nothing is new. */
  checkpoint(opened: Opened, seq: number) {
    const { folder, keys, checkpoints } = opened
    let [last] = checkpoints.newest(1)
    if (last !== undefined && last.seq > seq) {
      checkpoints.setAside(last.seq)
      last = undefined
    }
    // Without one, as on a node that begins to lead, at most two segments are covered.
    const segments = listSegments(folder.journal)
    const oldest = (segments.at(-2) ?? segments[0])?.firstSeq ?? 1
    const from = Math.max((last?.seq ?? 0) + 1, oldest)
    const leaves: Buffer[] = []
    let before: Frame | null = null
    let end: Frame | null = null
    for (const { frame, next } of framesOf(opened, from, seq)) {
      before ??= frame
      end = frame
      leaves.push(sha256(frameLeaf(statementOf(frame))))
      reached = { seq: lastOf(frame), next }
    }
    if (before === null || end === null) return null
    const content = {
      first_seq: before.firstSeq,
      seq: lastOf(end),
      before: before.before.toString('hex'),
      seal: end.seal.toString('hex'),
      frames: leaves.length,
      root: new HashTree(leaves).root,
      time: Date.now(),
      ...newestState(folder.snapshots, lastOf(end)),
    }
    const signature = keys.sign(checkpointText(folder.venue, content))
    const made: Checkpoint = { ...content, public_key: keys.publicKey, signature }
    checkpoints.add(made)
    return made
  },

  frame(opened: Opened, seq: number) {
    const checkpoint = opened.checkpoints.covering(seq)
    return checkpoint === null ? null : (proofIn(opened, seq, checkpoint)?.proof ?? null)
  },

  async receipt(opened: Opened, seq: number): Promise<OwnedReceipt | null> {
    const { folder, keys, checkpoints } = opened
    const checkpoint = checkpoints.covering(seq)
    const found =
      checkpoint === null ? newFrame(opened, seq) : proofIn(opened, seq, checkpoint)?.frame
    if (found === undefined) return null
    const { venue } = folder
    const leaves: Buffer[] = []
    let record = Buffer.alloc(0)
    eachRecord(found, (at, from, to) => {
      const bytes = found.bytes.subarray(from, to)
      if (at === seq) record = Buffer.from(bytes)
      leaves.push(sha256(commandLeaf(keys.saltOf(at), bytes)))
    })
    const tree = new HashTree(leaves)
    const statement = statementOf(found)
    const signature = keys.sign(frameText(venue, tree.root, statement))
    const proof = checkpoint === null ? null : proofIn(opened, seq, checkpoint)!.proof
    return {
      account: await ownerOf(record),
      receipt: {
        ...{ venue, seq, record: record.toString('hex') },
        salt: keys.saltOf(seq).toString('hex'),
        path: tree.pathOf(seq - found.firstSeq),
        frame: { ...statement, root: tree.root, public_key: keys.publicKey, signature },
        inclusion: proof && {
          index: proof.index,
          path: proof.path,
          checkpoint: proof.checkpoint,
        },
      },
    }
  },
}

/** The account of a command; `null` if it is not of one account. */
async function ownerOf(record: Buffer): Promise<number | null> {
  // Loads the core, which checkpoints do not need.
  const { decodeEntry } = await import('../../sequencer/codec.ts')
  const { entry } = decodeEntry(record, 0, record.length)
  const account = entry.kind === 'command' ? accountOf(entry.command) : null
  return typeof account === 'number' ? account : null
}

/** The frame with an entry that no checkpoint covers yet. */
function newFrame(opened: Opened, seq: number): Frame | undefined {
  for (const { frame } of framesOf(opened, seq, seq)) return frame
  return undefined
}

function proofIn(opened: Opened, seq: number, checkpoint: Checkpoint) {
  const leaves: Buffer[] = []
  let index = -1
  let found: Frame | undefined
  for (const { frame } of framesOf(opened, checkpoint.first_seq, checkpoint.seq)) {
    if (found === undefined && lastOf(frame) >= seq) {
      found = frame
      index = leaves.length
    }
    leaves.push(sha256(frameLeaf(statementOf(frame))))
  }
  // A sandbox removes old segments.
  if (found === undefined || leaves.length !== checkpoint.frames) return null
  const { venue } = opened.folder
  const path = new HashTree(leaves).pathOf(index)
  const proof: FrameProof = { venue, seq, frame: statementOf(found), index, path, checkpoint }
  return { proof, frame: found }
}

/** The hash of the newest snapshot up to this entry. */
function newestState(
  folder: string,
  seq: number,
): Readonly<{ state_seq: number | null; state_hash: string | null }> {
  const snapshot = listSnapshots(folder).find((each) => each.seq <= seq)
  if (snapshot === undefined) return { state_seq: null, state_hash: null }
  const file = openSync(snapshot.file, 'r')
  try {
    const hash = Buffer.alloc(stateHashLength)
    readSync(file, hash, 0, hash.length, fstatSync(file).size - sealLength - hash.length)
    return { state_seq: snapshot.seq, state_hash: hash.toString('latin1') }
  } finally {
    closeSync(file)
  }
}

const port = parentPort!
port.on('message', async ({ root, name, args }: ReceiptJob) => {
  const folder = readDataFolder(root)
  const opened = { folder, keys: receiptKeysIn(root), checkpoints: new CheckpointFile(root) }
  // An error is thrown to the caller, and ends the thread.
  port.postMessage(await (jobs[name] as (...all: unknown[]) => unknown)(opened, ...args))
})
