// One GET, over TLS or not, whose body comes in pieces. Nothing is followed: whoever is sent
// elsewhere has the wrong address configured.

import type { IncomingMessage } from 'node:http'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { type Address, headersOf } from './wire.ts'

type Listener = Readonly<{
  /** The answer is 200, and its body begins. */
  answered(response: IncomingMessage): void
  failed(why: string): void
}>

/** Gives a function that ends it. */
export function httpGet(address: Address, accept: string, listener: Listener): () => void {
  const url = new URL(address.url)
  const ask = url.protocol === 'https:' ? secure : plain
  const headers = { accept, 'user-agent': 'openperp', ...headersOf(address) }
  const request = ask(url, { headers, agent: false })
  request.on('error', (error) => listener.failed(error.message))
  request.on('response', (response) => {
    response.on('error', (error) => listener.failed(error.message))
    if (response.statusCode === 200) return listener.answered(response)
    response.resume()
    listener.failed(`the answer is ${response.statusCode}`)
  })
  request.end()
  return () => request.destroy()
}
