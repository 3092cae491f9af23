// A stream of server-sent events (text/event-stream). Only the data field of events is used.

import { httpGet } from './http-get.ts'
import { messageBytesMax, type OpenWire } from './wire.ts'

const eventEnd = /\r\n\r\n|\n\n|\r\r/

export const eventsWire: OpenWire = (address, ears) => {
  let rest = ''
  const get = { address, accept: 'text/event-stream', agent: false } as const
  const close = httpGet(get, {
    failed: (why) => ears.ended(why),
    answered(response) {
      if (!/^text\/event-stream\b/.test(response.headers['content-type'] ?? ''))
        return ears.ended('the answer is not a stream of events')
      ears.opened()
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        const events = (rest + piece).split(eventEnd)
        rest = events.pop()!
        for (const event of events) readEvent(event)
        if (rest.length > messageBytesMax) ears.ended('an event is too long')
        else if (events.length === 0) ears.stirred()
      })
      response.on('end', () => ears.ended('the other side closed'))
    },
  })
  const readEvent = (event: string) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
    if (lines.length === 0) return ears.stirred()
    ears.said(lines.map((line) => line.slice('data:'.length).trim()).join('\n'), null)
  }
  return { send: () => undefined, close }
}
