/** The journal no longer goes back to where the store ends. */
export class JournalGap extends Error {}
