// A request to the lab that cannot be carried out: what is wrong, and what would be accepted.

export class LabFault extends Error {
  override readonly name = 'LabFault'
  readonly code = 'LAB_REFUSED'
  /** What to do about it, or `null`. */
  readonly hint: string | null

  constructor(message: string, hint: string | null = null) {
    super(message)
    this.hint = hint
  }
}
