// Properties of a setting in addition to its schema.

export const modes = ['sandbox', 'venue'] as const
export type Mode = (typeof modes)[number]

/** Properties of a setting in addition to its type. */
export type About = Readonly<{
  /** For operators, as Markdown. */
  description: string
  /** Absent where the modes differ, or where it follows from another setting. */
  default?: unknown
  byMode?: Readonly<Record<Mode, unknown>>
  /** The default of a fixture, where it is another one. */
  inFixture?: unknown
  /** Given only as a flag: neither in a file nor as a variable. */
  flagOnly?: true
  /** The default as the table shows it, where the value itself would say less. */
  defaultShown?: string
  /** What fits, in words, where the schema's own would say less. */
  wanted?: string
  /** Never repeated in a message. */
  secret?: true
  /** Reads and checks what the schema cannot say. */
  read?: (from: string, given: unknown) => unknown
}>
