/** A point of history: an entry, or a time. A time means the last entry before the first one that
 *  is later, as for `openperp restore`. */
export type Point = Readonly<{ seq: number }> | Readonly<{ atMs: number }>
