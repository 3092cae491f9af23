// Shortens a name from a caller, so that a message can repeat it. Existing clients choose their
// error class by words in the message, which all have at least seven capitals, or spaces.

const shownMax = 64

export function displayName(name: string): string {
  const cut = name.length > shownMax ? `${name.slice(0, shownMax)}…` : name
  return cut
    .replaceAll(/[^\w.…-]/g, '?')
    .replaceAll(/[A-Z_]{7,}/g, (capitals) => capitals.toLowerCase())
}
