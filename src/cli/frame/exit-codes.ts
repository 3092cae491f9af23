// Exit codes for scripts. The numbers are documented (docs/operating/cli.md) and stable.

export const exitCodes = {
  yes: 0,
  refused: 1,
  misused: 2,
  unreachable: 3,
  damaged: 4,
} as const

export type ExitKind = keyof typeof exitCodes

export const exitMeanings: Readonly<Record<ExitKind, string>> = {
  yes: 'done',
  refused: 'rejected by the exchange or by this command; diff and whatif: there is a difference',
  misused: 'usage error: unknown command or flag, missing or malformed value',
  unreachable: 'no exchange answers at the address',
  damaged: 'data is damaged or inconsistent',
}

/** An error that ends the run: what happened, and what to do about it. */
export class CliError extends Error {
  readonly kind: ExitKind
  /** A hint on a separate line. */
  readonly hint: string | null
  /** For --json: machine-readable facts in addition to the message. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(
    kind: ExitKind,
    message: string,
    more: Readonly<{
      hint?: string
      facts?: Readonly<Record<string, unknown>>
      cause?: unknown
    }> = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.kind = kind
    this.hint = more.hint ?? null
    this.facts = more.facts ?? {}
  }
}

export function misused(message: string, hint?: string): CliError {
  return new CliError('misused', message, hint === undefined ? {} : { hint })
}
