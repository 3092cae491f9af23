// Sends a frame of a channel with the fate that a plan of faults gives it.

import { textAt } from '../../protocol/streams/text-frame.ts'
import type { Sent } from './direction.ts'
import type { Faults, Message } from './faults.ts'
import type { Rule } from './rules.ts'

/** A frame of a channel, and its connection. */
export type SentFrame = Readonly<{
  sent: Sent
  frame: Uint8Array
  write(frame: Uint8Array): void
  cut(): void
  /** Bytes that wait for their time, or no longer do if negative. */
  hold(bytes: number): void
  /** Called when the client hears nothing more until then. */
  silenceUntil(atUs: number): void
}>

type Pass = (sent: Sent, arrived: () => void) => void

const lateMs = 2_000

/** Counts the frame while it waits for its time. */
export function holding({ frame, hold }: SentFrame, pass: Pass): Pass {
  const { length } = frame
  return (sent, arrived) => {
    hold(length)
    pass(sent, () => {
      hold(-length)
      arrived()
    })
  }
}

/** `ms`: time since the plan was set. `isMuted`: nothing is delivered. */
export function withFrameFate(
  { sent, frame, write, cut, silenceUntil }: SentFrame,
  faults: Faults,
  { ms, isMuted, pass }: Readonly<{ ms: number; isMuted: boolean; pass: Pass }>,
): void {
  const { traits } = sent
  const { account } = traits
  const message = messageIn(frame)
  const arrive = (bytes = frame) => {
    write(bytes)
    faults.frameArrived(account, message)
  }
  const hasChecksum = (message.data as { cs?: unknown } | null)?.cs !== undefined
  const mayBe = ({ spec }: Rule) =>
    spec.fault !== 'ws_refuse' && (hasChecksum || spec.fault !== 'bad_checksum')
  const fate = faults.fateOf('stream', traits, ms, mayBe)
  if (isMuted) return faults.frameSilenced(account, message)
  if (fate === null) return pass(sent, () => arrive())
  const { fault, ms: byMs } = fate.rule.spec
  const entry = faults.record(fate, traits, message.channel)
  entry.venue = 'sent'
  entry.client = 'not delivered'
  switch (fault) {
    case 'ws_gap':
      return faults.frameLost(entry, account, message, null)
    case 'ws_drop':
      entry.client = 'connection cut'
      faults.frameLost(entry, account, message, 'seen')
      return cut()
    case 'silent': {
      const untilUs = byMs == null ? Number.POSITIVE_INFINITY : sent.fromUs + byMs * 1_000
      silenceUntil(untilUs)
      return faults.frameLost(entry, account, message, 'silent')
    }
    case 'late':
      entry.client = `delivered ${byMs ?? lateMs} ms later`
      faults.frameLost(entry, account, message, null)
      return pass({ ...sent, moreUs: (byMs ?? lateMs) * 1_000 }, () => arrive())
    case 'duplicate':
      entry.client = 'delivered twice'
      pass(sent, () => arrive())
      return pass(sent, () => write(frame))
    default:
      entry.client = 'delivered with another checksum'
      return pass(sent, () => {
        write(withoutChecksum(frame))
        faults.frameLost(entry, account, message, 'checksum')
      })
  }
}

/** The message in a frame of a channel. */
function messageIn(frame: Uint8Array): Message {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length)
  return JSON.parse(bytes.toString('utf8', textAt(bytes))) as Message
}

/** The frame with a checksum of another book. The length stays the same. */
function withoutChecksum(frame: Uint8Array): Uint8Array {
  const changed = Buffer.from(frame)
  const key = '"cs":'
  const at = changed.indexOf(key) + key.length
  changed[at] = changed[at] === 49 ? 50 : 49
  return changed
}
