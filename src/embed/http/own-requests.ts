// Ids and defects of requests within the process.

import type { Logger } from 'pino'

/** Request ids are numbered, so that runs repeat exactly. */
export function requestIds(): () => string {
  let count = 0
  return () => `embedded-${++count}`
}

/** Throws internal errors to the embedding program, because they are bugs. */
export const defects = {
  child: () => defects,
  error: ({ err }: Readonly<{ err: unknown }>, text: string) => console.error(text, err),
} as unknown as Logger
