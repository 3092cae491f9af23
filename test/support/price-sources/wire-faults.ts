// What is wrong with the connection to a source, or with how it behaves there.

import assert from 'node:assert/strict'
import { tickers } from '../../../src/sources/tickers/adapters/all-tickers.ts'
import { type Fault, honest, type Seen } from './fault.ts'
import { ownCertificate } from './own-certificate.ts'
import type { PriceScene } from './price-scene.ts'

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

export const wireFaults: readonly Fault[] = [
  {
    name: 'silence: the connection stands, and nothing comes',
    seconds: 75,
    act: (scene, second) => {
      if (second === 30) assert.equal(scene.markets[0], 'stale')
      return scene.server.hush()
    },
    market: 'cancel_only',
    seen: (scene, before) => {
      reconnected(scene, before)
      // An answer that does not come is given up sooner than a connection on which nothing comes.
      const why = scene.speech.wire === 'poll' ? /no answer in time/ : /no data for 30 s/
      assert.match(scene.health.fault ?? '', why)
    },
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
    name: 'reconnect storm: every connection ends after its first prices',
    seconds: 76,
    act: (scene, second) => {
      const isPolled = scene.speech.wire === 'poll'
      if (scene.health.state !== 'connected') return isPolled ? honest(scene) : 0
      if (second % 2 === 0) return honest(scene)
      scene.server.cut()
      return scene.server.hush()
    },
    market: 'stale',
    seen: fewAttempts(12),
  },
  {
    name: 'refused: the server no longer listens',
    seconds: 25,
    act: (scene, second) => {
      if (second === 0) void scene.server.close()
      return 0
    },
    market: 'stale',
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
    name: 'storm: a thousand messages together',
    seconds: 12,
    act: (scene, second) => {
      if (scene.speech.wire === 'poll' || second > 1) return honest(scene)
      const words = scene.words()
      let sent = 0
      for (let times = 0; times < 500; times++) sent += scene.server.say(...words)
      return sent
    },
    market: 'live',
    seen: (scene, before) => {
      if (scene.speech.wire === 'poll') return
      assert.ok(scene.health.thinned > before.thinned + 1_500, `${scene.health.thinned}`)
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
    name: 'TLS of a stranger: the certificate is self-signed',
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
