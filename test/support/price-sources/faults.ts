// What goes wrong with sources of prices, and what the rules make of it (docs/rules/prices.md): of the
// market that needs the source. The other one, which does not, has to stay live at the honest
// price whatever happens.

import assert from 'node:assert/strict'
import { tickers } from '../../../src/sources/tickers/adapters/all-tickers.ts'
import { ownCertificate } from './own-certificate.ts'
import type { PriceScene, SceneOptions } from './price-scene.ts'

type Seen = (scene: PriceScene, before: PriceScene['health']) => void

export type Fault = Readonly<{
  name: string
  options?: SceneOptions
  /** It is there from the start, so that the source never works. */
  fromTheStart?: true
  seconds: number
  /** What the server does in each second; gives how many messages come of it. */
  act(scene: PriceScene, second: number): number
  /** The market that needs the source, at the end. */
  market: 'live' | 'stale' | 'cancel_only'
  /** What is to be seen beside it. */
  seen?: Seen
  /** What ends it; null: nothing does. */
  mend?: ((scene: PriceScene) => void) | null
}>

const raw = (...texts: readonly (string | Buffer)[]) => {
  return (scene: PriceScene, second: number) => scene.server.sayRaw(texts[second % texts.length]!)
}
const both = (price: string) => (scene: PriceScene) =>
  scene.server.say(...scene.words([price, price]))
const honest = (scene: PriceScene) => scene.server.say(...scene.words())

const garbageCounted: Seen = (scene, before) =>
  assert.ok(scene.health.garbage >= before.garbage + 5, JSON.stringify(scene.health))
const notTaken: Seen = (scene, before) => {
  const { garbage } = scene.health
  assert.ok(scene.health.refused + garbage >= before.garbage + 5, JSON.stringify(scene.health))
}
const reconnected: Seen = (scene, before) =>
  assert.ok(scene.health.reconnects > before.reconnects, JSON.stringify(scene.health))
/** Attempts grow apart up to half a minute: 375, 750, 1,500 … ms, as the scene's dice have it. */
const fewAttempts =
  (most: number): Seen =>
  (scene, before) => {
    const attempts = scene.health.reconnects - before.reconnects
    assert.ok(attempts >= 2 && attempts <= most, `${attempts} attempts`)
  }

/** What a server that misbehaves as a whole does. */
const mannered = (manners: PriceScene['server']['manners']) => (scene: PriceScene) => {
  if (scene.server.manners !== manners) scene.server.cut()
  scene.server.manners = manners
  return scene.server.hush()
}

export const faults: readonly Fault[] = [
  {
    name: 'silence: the connection stands, and nothing comes',
    seconds: 45,
    act: (scene) => scene.server.hush(),
    market: 'stale',
    seen: reconnected,
  },
  {
    name: 'silence for longer than a minute',
    seconds: 75,
    act: (scene) => scene.server.hush(),
    market: 'cancel_only',
  },
  {
    name: 'signs of life without prices',
    seconds: 75,
    act: (scene) => scene.server.say(scene.speech.heartbeat),
    market: 'cancel_only',
    seen: (scene, before) => {
      reconnected(scene, before)
      const { keepAlive } = tickers[scene.kind]
      if (keepAlive === null) return
      const pings = scene.server.requests.filter((text) => text === keepAlive.text)
      assert.ok(pings.length >= 3, `${pings.length} pings`)
    },
  },
  {
    name: 'garbage: text that is no JSON',
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
    // Of two the lower one counts.
    seen: (scene) => assert.equal(scene.priceOf(1), 105_000.5),
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
    name: 'a price that is no number',
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
            : ['105000.500000000400000000', '3.50025e3'],
        ),
      ),
    market: 'live',
    seen: (scene) => assert.deepEqual([scene.priceOf(1), scene.priceOf(2)], [105_000.5, 3_500.25]),
  },
  {
    name: 'prices of something that was never asked for',
    seconds: 12,
    act: (scene) => {
      const { speech, time } = scene
      const said = { symbol: speech.stranger, price: '105000.5', atMs: time.now }
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
        const { tellsTime, wire } = scene.speech
        if (wire !== 'poll') assert.equal(off >= 5, tellsTime, `${off}`)
      },
    }),
  ),
  {
    name: 'reconnect storm: every connection ends after its first prices',
    seconds: 120,
    act: (scene, second) => {
      const isAsked = scene.speech.wire === 'poll'
      if (scene.health.state !== 'connected') return isAsked ? honest(scene) : 0
      if (second % 2 === 0) return honest(scene)
      scene.server.cut()
      return scene.server.hush()
    },
    market: 'stale',
    seen: fewAttempts(12),
  },
  {
    name: 'refused: nobody listens any more',
    seconds: 75,
    act: (scene, second) => {
      if (second === 0) void scene.server.close()
      return 0
    },
    market: 'cancel_only',
    seen: fewAttempts(9),
    mend: null,
  },
  {
    name: 'connections are reset as soon as they are made',
    seconds: 25,
    act: mannered('reset'),
    market: 'stale',
    seen: fewAttempts(9),
  },
  {
    name: 'half open: connections are taken and nothing is said on them',
    seconds: 25,
    act: mannered('mute'),
    market: 'stale',
    seen: fewAttempts(9),
    mend: (scene) => scene.server.cut(),
  },
  {
    name: 'unavailable: an answer of 503',
    seconds: 25,
    act: mannered('unavailable'),
    market: 'stale',
    seen: fewAttempts(9),
  },
  {
    name: 'sent elsewhere: an answer of 302 is not followed',
    seconds: 25,
    act: mannered('redirect'),
    market: 'stale',
    seen: fewAttempts(9),
  },
  {
    name: 'oversized: a message of a megabyte ends the connection, and the next one is good',
    seconds: 12,
    act: (scene, second) =>
      second === 0 ? scene.server.sayRaw(`"${'x'.repeat(1_000_000)}"`) : honest(scene),
    market: 'live',
    seen: reconnected,
  },
  {
    name: 'cut in the middle of a message',
    seconds: 12,
    act: (scene, second) => {
      if (second > 1) return honest(scene)
      scene.server.drip()
      if (second === 1) scene.server.cut()
      return 0
    },
    market: 'live',
    seen: reconnected,
  },
  {
    name: 'slow drip: a few bytes a second of a message that never ends',
    seconds: 45,
    act: (scene) => scene.server.drip(),
    market: 'stale',
    mend: (scene) => scene.server.cut(),
  },
  {
    name: 'unsubscribed by the server',
    seconds: 12,
    act: (scene, second) =>
      second === 0 ? scene.server.say(scene.speech.unsubscribed) : honest(scene),
    market: 'live',
    seen: (scene, before) => {
      // A stream of events and an answer have nothing to unsubscribe from.
      if (scene.speech.wire === 'websocket') reconnected(scene, before)
    },
  },
  {
    name: 'the subscription is refused',
    seconds: 12,
    act: (scene) => scene.server.say(scene.speech.refusal),
    market: 'stale',
    seen: (scene) => {
      if (scene.speech.wire === 'websocket') assert.ok(scene.health.fault !== null)
    },
  },
  {
    name: 'storm: two thousand messages at once',
    seconds: 12,
    act: (scene, second) => {
      if (scene.speech.wire === 'poll' || second > 2) return honest(scene)
      const words = scene.words()
      let sent = 0
      for (let times = 0; times < 1_000; times++) sent += scene.server.say(...words)
      return sent
    },
    market: 'live',
    seen: (scene, before) => {
      if (scene.speech.wire === 'poll') return
      assert.ok(scene.health.thinned > before.thinned + 5_000, `${scene.health.thinned}`)
      // Of each of two symbols at most ten a second, in as many seconds as the scene has.
      assert.ok(scene.health.accepted <= 2 * 10 * 40, `${scene.health.accepted}`)
    },
  },
  {
    name: 'TLS refused: the server takes no handshake',
    options: { tls: 'refused' },
    fromTheStart: true,
    seconds: 12,
    act: () => 0,
    market: 'stale',
    seen: fewAttempts(9),
    mend: null,
  },
  {
    name: 'TLS of a stranger: nobody vouches for the certificate',
    options: { tls: ownCertificate },
    fromTheStart: true,
    seconds: 12,
    act: () => 0,
    market: 'stale',
    seen: (scene, before) => {
      fewAttempts(9)(scene, before)
      assert.match(scene.health.fault ?? '', /self-signed/)
      assert.equal(scene.health.accepted, 0)
    },
    mend: null,
  },
]
