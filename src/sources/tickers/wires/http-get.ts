// A GET request, with or without TLS, whose body is received in chunks. Redirects are not followed,
// because they indicate a wrong address in the configuration.

import { type IncomingMessage, Agent as PlainAgent, request as plain } from 'node:http'
import { Agent as SecureAgent, request as secure } from 'node:https'
import { type Address, headersOf } from './wire.ts'

type Listener = Readonly<{
  /** Called when the status is 200 and the body begins. */
  answered(response: IncomingMessage): void
  failed(why: string): void
}>

const isSecure = ({ url }: Address) => url.startsWith('https:')

/** Creates an agent that keeps one connection for a series of requests. */
export function connectionFor(address: Address): PlainAgent {
  const options = { keepAlive: true, maxSockets: 1 }
  return isSecure(address) ? new SecureAgent(options) : new PlainAgent(options)
}

export type Get = Readonly<{
  address: Address
  accept: string
  /** Agent of the connection; `false` for a separate connection. */
  agent: PlainAgent | false
}>

/** Starts the request; returns a function that aborts it. */
export function httpGet({ address, accept, agent }: Get, listener: Listener): () => void {
  const url = new URL(address.url)
  const ask = isSecure(address) ? secure : plain
  const headers = { accept, ...headersOf(address) }
  const request = ask(url, { headers, agent })
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
