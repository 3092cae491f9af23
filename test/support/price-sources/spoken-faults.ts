// What is wrong with what a source says.

import assert from 'node:assert/strict'
import { type Fault, honest, type Seen } from './fault.ts'
import type { PriceScene } from './price-scene.ts'

const raw = (...texts: readonly (string | Buffer)[]) => {
  return (scene: PriceScene, second: number) => scene.server.sayRaw(texts[second % texts.length]!)
}
const both = (price: string) => (scene: PriceScene) =>
  scene.server.say(...scene.words([price, price]))

const garbageCounted: Seen = (scene, before) =>
  assert.ok(scene.health.garbage >= before.garbage + 5, JSON.stringify(scene.health))
/** Where a price is a number of JSON, one that is none makes the whole message garbage. */
const notTaken: Seen = ({ health }, before) => {
  const more = health.refused + health.garbage - before.refused - before.garbage
  assert.ok(more >= 5, JSON.stringify(health))
}

export const spokenFaults: readonly Fault[] = [
  {
    name: 'garbage: text that is not JSON',
    seconds: 12,
    act: raw('<html>502 Bad Gateway</html>', 'undefined', '{"', '\u0000\u0001', 'NaN', '}{'),
    market: 'stale',
    seen: garbageCounted,
  },
  {
    name: 'garbage: bytes',
    seconds: 12,
    act: raw(Buffer.from([0xff, 0xfe, 0x00, 0x81]), Buffer.alloc(1_000, 0xc3), Buffer.from('{]')),
    market: 'stale',
    seen: garbageCounted,
  },
  {
    name: 'garbage: JSON of another shape',
    seconds: 12,
    act: raw('[]', 'null', '42', '{"hello":[{"a":null}]}', '"text"', '[[[[[[]]]]]]', '{"e":{}}'),
    market: 'stale',
    seen: garbageCounted,
  },
  {
    name: 'garbage: JSON fifty thousand levels deep',
    seconds: 12,
    act: raw('['.repeat(50_000) + ']'.repeat(50_000)),
    market: 'stale',
    seen: garbageCounted,
  },
  {
    name: 'garbage: messages cut short',
    seconds: 12,
    act: (scene) => scene.server.sayRaw(scene.words()[0]!.slice(0, -9)),
    market: 'stale',
    seen: garbageCounted,
  },
  {
    name: 'garbage between good messages',
    seconds: 12,
    act: (scene) =>
      scene.speech.wire === 'poll'
        ? honest(scene)
        : scene.server.sayRaw('garbage') + honest(scene) + scene.server.sayRaw('[]'),
    market: 'live',
  },
  {
    name: 'jump: the price is a fifth higher than anybody else says',
    seconds: 12,
    act: (scene) => scene.server.say(...scene.words(['126000.6', '4200.3'])),
    market: 'stale',
  },
  {
    name: 'one source lying within 3 %',
    seconds: 12,
    act: (scene) => scene.server.say(...scene.words(['107000', '3560'])),
    market: 'live',
    // Of two the middle counts.
    seen: (scene) => assert.equal(scene.priceOf(1), 106_000.25),
  },
  {
    name: 'one source lying by more and more',
    seconds: 12,
    act: (scene, second) =>
      scene.server.say(...scene.words([`${105_000 - 2_000 * second}`, `${3_500 - 60 * second}`])),
    market: 'stale',
  },
  { name: 'a price of zero', seconds: 12, act: both('0'), market: 'stale', seen: notTaken },
  {
    name: 'a price below zero',
    seconds: 12,
    act: both('-105000'),
    market: 'stale',
    seen: notTaken,
  },
  {
    name: 'a price that is not a number',
    seconds: 12,
    act: both('NaN'),
    market: 'stale',
    seen: notTaken,
  },
  {
    name: 'a price beyond all bounds',
    seconds: 12,
    act: (scene, second) => both(['9'.repeat(30), '1e300', '9'.repeat(5_000)][second % 3]!)(scene),
    market: 'stale',
    seen: notTaken,
  },
  {
    name: 'more digits than a market has, and an exponent',
    seconds: 12,
    act: (scene) =>
      scene.server.say(
        ...scene.words(
          scene.speech.wire === 'events'
            ? ['105000.50000000', '3500.25000000']
            : ['1.050005e5', '3500.250000000400000000'],
        ),
      ),
    market: 'live',
    seen: (scene) => {
      assert.deepEqual([scene.priceOf(1), scene.priceOf(2)], [105_000.5, 3_500.25])
      assert.equal(scene.health.clockOff, 0)
    },
  },
  {
    name: 'prices of a market that was not subscribed to',
    seconds: 12,
    act: (scene) => {
      const { speech, now } = scene
      const said = { symbol: speech.stranger, price: '105000.5', atMs: now }
      return scene.server.say(speech.price(said))
    },
    market: 'stale',
    seen: garbageCounted,
  },
  ...[-3_600_000, 86_400_000].map(
    (aheadMs): Fault => ({
      name: `clock off by ${aheadMs / 3_600_000} hours: what comes counts by its arrival`,
      seconds: 12,
      act: (scene) => scene.server.say(...scene.words(undefined, aheadMs)),
      market: 'live',
      seen: (scene, before) => {
        const off = scene.health.clockOff - before.clockOff
        assert.ok(off >= 5, `${off}`)
      },
    }),
  ),
  {
    name: 'the subscription is refused',
    seconds: 12,
    act: (scene) => scene.server.say(scene.speech.refusal),
    market: 'stale',
    seen: (scene) => {
      if (scene.speech.wire === 'websocket') assert.ok(scene.health.fault !== null)
    },
  },
]
