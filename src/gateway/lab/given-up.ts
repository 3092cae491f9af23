// The answer to a request whose time does not come.

import { type ApiError, apiError } from '../api-error.ts'

export class GivenUp extends Error {
  readonly reply: ApiError

  constructor(reply: ApiError) {
    super(reply.message)
    this.reply = reply
  }
}

export function givenUpOf(why: 'stands' | 'reset', dueUs: number, isDone: boolean): ApiError {
  const dueAt = Math.ceil(dueUs / 1_000)
  const cause =
    why === 'stands'
      ? `the clock has stood still for 5 s; this is due at ${dueAt} ` +
        `(${new Date(dueAt).toISOString()}): advance the clock while requests wait`
      : 'the exchange was reset or reverted while this was on its way'
  return isDone ? withheld(cause) : apiError('CLOCK_STANDS', `${cause}; ${notDone}`)
}

/** The request was carried out, so that its client must not take this for a refusal. */
const withheld = (cause: string) =>
  apiError(
    'REPLY_WITHHELD',
    `${cause}; the request was carried out, and this is in place of its reply`,
  )

export function lineFull(most: number, isDone: boolean): GivenUp {
  const cause = `${most} messages wait in the line`
  return new GivenUp(isDone ? withheld(cause) : apiError('NOT_READY', `${cause}; ${notDone}`))
}

export const notDone = 'the request was not carried out'
