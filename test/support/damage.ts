// Ways in which the files of an exchange can go bad, drawn at random.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeFrame } from '../../src/journal/frame.ts'
import { segmentHeadLength } from '../../src/journal/segment.ts'
import type { Random } from '../programs/differential/random.ts'

/** What was done, and how to undo it. */
export type Damage = Readonly<{ what: string; undo: () => void }>

type Spoil = (bytes: Buffer, random: Random) => Buffer

/** A stretch of random place, mostly short: long ones meet a head and are found too easily. */
function stretch(bytes: Buffer, random: Random): readonly [number, number] {
  const from = random.below(bytes.length)
  const length = random.pick([1, 4, 64, 512, 4_096])
  return [from, Math.min(bytes.length, from + length)]
}

function frames(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = segmentHeadLength; ; ) {
    const frame = decodeFrame(bytes, at)
    if (frame === undefined) return found
    found.push(bytes.subarray(at, frame.end))
    at = frame.end
  }
}

/** Takes the frames apart, lets them be changed, and puts them together again. */
const onFrames =
  (change: (list: Buffer[], random: Random) => void): Spoil =>
  (bytes, random) => {
    const list = frames(bytes)
    const tail = bytes.subarray(
      segmentHeadLength + list.reduce((sum, { length }) => sum + length, 0),
    )
    if (list.length > 0) change(list, random)
    return Buffer.concat([bytes.subarray(0, segmentHeadLength), ...list, tail])
  }

const anyFile: Readonly<Record<string, Spoil>> = {
  flip: (bytes, random) => {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
    return bytes
  },
  zero: (bytes, random) => bytes.fill(0, ...stretch(bytes, random)),
  garbage: (bytes, random) => {
    const [from, to] = stretch(bytes, random)
    for (let at = from; at < to; at++) bytes[at] = random.below(256)
    return bytes
  },
  cut: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  insert: (bytes, random) => {
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)])
  },
  swap: (bytes, random) => {
    const length = Math.min(random.pick([8, 64, 512]), bytes.length >> 1)
    const one = random.below(bytes.length - 2 * length + 1)
    const other = one + length + random.below(bytes.length - one - 2 * length + 1)
    const kept = Buffer.from(bytes.subarray(one, one + length))
    bytes.copyWithin(one, other, other + length)
    kept.copy(bytes, other)
    return bytes
  },
}

const segmentsOnly: Readonly<Record<string, Spoil>> = {
  'remove a frame': onFrames((list, random) => list.splice(random.below(list.length), 1)),
  'double a frame': onFrames((list, random) => {
    list.splice(random.below(list.length + 1), 0, random.pick(list))
  }),
  'swap frames': onFrames((list, random) => {
    const one = random.below(list.length)
    const other = random.below(list.length)
    ;[list[one], list[other]] = [list[other]!, list[one]!]
  }),
  'cut at a frame': onFrames((list, random) => list.splice(random.below(list.length))),
}

/** Spoils one file of the folder, or removes it; never changes nothing. */
export function damageOne(folder: string, random: Random): Damage {
  for (;;) {
    const file = join(folder, random.pick(filesOf(folder)))
    const whole = readFileSync(file)
    const undo = () => writeFileSync(file, whole)
    if (random.chance(0.02)) {
      rmSync(file)
      return { what: `remove ${file}`, undo }
    }
    const spoils = { ...anyFile, ...(file.endsWith('.seg') && segmentsOnly) }
    const name = random.pick(Object.keys(spoils))
    const damaged = whole.length === 0 ? whole : spoils[name]!(Buffer.from(whole), random)
    if (damaged.equals(whole)) continue
    writeFileSync(file, damaged)
    return { what: `${name} in ${file}`, undo }
  }
}

/** Flips a bit inside a frame that another frame follows; null when there is no such frame. */
export function damageMiddle(file: string, random: Random): Damage | null {
  const whole = readFileSync(file)
  const list = frames(whole).slice(0, -1)
  if (list.length === 0) return null
  const bytes = Buffer.from(whole)
  const frame = random.pick(list)
  const at = frame.byteOffset - whole.byteOffset + random.below(frame.length)
  bytes[at]! ^= 1 << random.below(8)
  writeFileSync(file, bytes)
  return { what: `flip at ${at} of ${file}`, undo: () => writeFileSync(file, whole) }
}

/** Changes only what follows the given length of a file: a tail that was never acknowledged. */
export function damageTail(file: string, length: number, random: Random): Damage {
  const whole = readFileSync(file)
  const tail = Buffer.alloc(random.pick([1, 30, 500, 5_000]))
  for (let at = 0; at < tail.length; at++) tail[at] = random.below(256)
  // A frame that got to the disk in part: its beginning, its end, or both without the middle.
  const frame = Buffer.from(frames(whole).at(-1) ?? tail)
  // Records may end with zeros: something else of the frame has to be missing.
  const gap = random.below(frame.findLastIndex((byte) => byte !== 0) + 1)
  const tails: readonly Buffer[] = [
    tail,
    Buffer.alloc(tail.length),
    frame.subarray(0, gap),
    Buffer.concat([frame.subarray(0, gap), Buffer.alloc(frame.length - gap)]),
    Buffer.concat([Buffer.alloc(gap + 1), frame.subarray(gap + 1)]),
    Buffer.concat([frame.subarray(0, gap), Buffer.alloc(700), tail]),
  ]
  writeFileSync(file, Buffer.concat([whole.subarray(0, length), random.pick(tails)]))
  return { what: `another tail in ${file}`, undo: () => writeFileSync(file, whole) }
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
