// Checks that a value survives JSON unchanged. Otherwise a command with NaN, negative zero or an
// undefined field would be applied differently after a restart.

/** Returns the name of a field that JSON would change; `null` if there is none. */
export function inexactField(value: unknown, name: string): string | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? null : name
  if (typeof value !== 'object') return name
  if (Array.isArray(value)) {
    for (const element of value) {
      const found = inexactField(element, name)
      if (found !== null) return found
    }
    return null
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const field in fields) {
    const found = inexactField(fields[field], field)
    if (found !== null) return found
  }
  return null
}
