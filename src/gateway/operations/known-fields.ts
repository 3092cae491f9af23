// Rejects unknown fields of a body, at any depth. An unknown field may have been meant to protect
// its sender, so that the request must not have any effect. Null fields count as absent, whatever
// their name.

import { displayName } from '../../protocol/display-name.ts'
import type { TSchema } from '../../protocol/schemas/typebox.ts'

/** Returns what is wrong with the value, or `null`. `where` names the value. */
export type FieldCheck = (value: unknown, where: string) => string | null

type Node = Readonly<{
  type?: string
  anyOf?: readonly Node[]
  items?: Node
  properties?: Readonly<Record<string, Node>>
  required?: readonly string[]
  additionalProperties?: boolean
}>

/** One possible form of an object. */
type Form = Readonly<{ fields: ReadonlyMap<string, readonly Form[]>; needs: readonly string[] }>

export function fieldCheck(schema: TSchema): FieldCheck {
  const forms = formsOf(schema as Node)
  return (value, where) => problemOf(forms, value, where)
}

/** The possible forms of the objects in a schema, including those in lists and unions. */
function formsOf({ type, anyOf, items, ...node }: Node): readonly Form[] {
  if (anyOf !== undefined) return anyOf.flatMap(formsOf)
  if (type === 'array' && items !== undefined) return formsOf(items)
  if (type !== 'object' || node.additionalProperties === true) return []
  const fields = Object.entries(node.properties ?? {})
  return [
    {
      fields: new Map(fields.map(([name, inner]) => [name, formsOf(inner)])),
      needs: node.required ?? [],
    },
  ]
}

function problemOf(forms: readonly Form[], value: unknown, where: string): string | null {
  if (forms.length === 0 || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const problem = problemOf(forms, value[at], `${where}[${at}]`)
      if (problem !== null) return problem
    }
    return null
  }
  const object = value as Readonly<Record<string, unknown>>
  if (forms.length === 1) return problemInForm(forms[0]!, object, where)
  const meant = forms.filter(({ needs }) => needs.every((name) => object[name] != null))
  const problems = (meant.length === 0 ? forms : meant).map((form) =>
    problemInForm(form, object, where),
  )
  return problems.includes(null) ? null : problems[0]!
}

function problemInForm(
  { fields }: Form,
  object: Readonly<Record<string, unknown>>,
  where: string,
): string | null {
  for (const name of Object.keys(object)) {
    const value = object[name]
    if (value === null || value === undefined) continue
    const inner = fields.get(name)
    if (inner === undefined) return refusalOf(name, where, [...fields.keys()])
    if (inner.length === 0) continue
    const problem = problemOf(inner, value, pathTo(name, where))
    if (problem !== null) return problem
  }
  return null
}

const pathTo = (name: string, where: string) => (where === '' ? name : `${where}.${name}`)

function refusalOf(name: string, where: string, fields: readonly string[]): string {
  const valid = `valid fields: ${fields.join(', ') || 'none'}`
  return `${pathTo(displayName(name), where)} is not a field of this request; ${valid}`
}
