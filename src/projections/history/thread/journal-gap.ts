/** The journal no longer goes back to the end of the store. */
export class JournalGap extends Error {}
