// A name that a caller made up, as a message may repeat it. Existing clients choose their error
// class by words in the message, and those are all of seven capitals and more, or have spaces.

const shownMax = 64

export function displayName(name: string): string {
  const cut = name.length > shownMax ? `${name.slice(0, shownMax)}…` : name
  return cut
    .replaceAll(/[^\w.…-]/g, '?')
    .replaceAll(/[A-Z_]{7,}/g, (capitals) => capitals.toLowerCase())
}
