/** The journal no longer contains the entries after the end of the store. */
export class JournalGap extends Error {}
