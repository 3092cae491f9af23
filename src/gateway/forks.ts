// The interface of the routes that fork a running sandbox (implemented by main/forks/).

import { apiError } from './api-error.ts'

/** A fork that runs, and where it is. */
export type Fork = Readonly<{
  id: string
  url: string
  ws: string
  compat_url: string | null
  pid: number
  /** The last entry that it shares with the original, and its engine time. */
  seq: number
  engine_now: number
}>

export type Forks = Readonly<{
  /** `at`: the last entry, or a time that no entry may be later than; `null`: now. */
  begin(at: string | null): Promise<Fork>
  /** Returns `false` if there is no such fork. */
  end(id: string): Promise<boolean>
  /** Ends all of them. */
  close(): Promise<void>
}>

const refuse = () => {
  throw apiError(
    'MALFORMED_REQUEST',
    'an embedded exchange is forked by its program: exchange.fork({ at })',
  )
}

export const forksOfEmbedded: Forks = {
  begin: async () => refuse(),
  end: async () => refuse(),
  close: async () => undefined,
}
