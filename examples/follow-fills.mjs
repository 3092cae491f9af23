// Follows the fills of an account live, through reconnects, without missing one:
//   node examples/follow-fills.mjs <address> [ws://127.0.0.1:8080/ws]
// Plain JavaScript on Node 22's own WebSocket; on Node 20 the `ws` package stands in.

const [address, url = 'ws://127.0.0.1:8080/ws'] = process.argv.slice(2)
if (address === undefined) {
  console.error('usage: node examples/follow-fills.mjs <address> [url]')
  process.exit(2)
}

const Socket = globalThis.WebSocket ?? (await import('ws')).WebSocket
/** `li` of the last frame: where to go on after a reconnect. */
let last

function follow() {
  const socket = new Socket(url)
  let pinging
  socket.onopen = () => {
    const params = { source: 'account_trades', account: address }
    if (last !== undefined) params.resume_from = last
    socket.send(JSON.stringify({ method: 'subscribe', params }))
    // A connection ends after 60 s without a frame of its client.
    pinging = setInterval(() => socket.send('{"method":"ping"}'), 20_000)
  }
  socket.onmessage = ({ data: text }) => {
    const { channel, data, li } = JSON.parse(text)
    if (channel === 'error') console.error(data.error)
    if (channel === 'subscribe') {
      if (data.resumed === false) console.error('too long away: GET /trades/history has the rest')
      console.error(`following ${address}`)
      last ??= li
    }
    if (channel !== 'account_trades') return
    for (const { h, s, ts, a, p, f, n } of data)
      console.log(`#${h} ${s} ${ts} ${a} at ${p}, fee ${f}, profit ${n}`)
    last = li
  }
  socket.onerror = () => {}
  socket.onclose = ({ reason }) => {
    clearInterval(pinging)
    console.error(`connection ended${reason ? `: ${reason}` : ''}; again in a second`)
    setTimeout(follow, 1_000)
  }
}

follow()
