// The fields of a schema, one line each, as the references for people show them.

export type Schema = Readonly<{
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  description?: string
  default?: unknown
}>

export type Field = Readonly<{ path: string; type: string; optional: boolean; meaning: string }>

export function fieldsOf(schema: Schema, path = ''): readonly Field[] {
  const inner = schema.items ?? schema
  const required = new Set(inner.required ?? [])
  return Object.entries(inner.properties ?? {}).flatMap(([name, property]) => {
    const at = path === '' ? name : `${path}.${name}`
    const optional = !required.has(name)
    const field = { path: at, type: typeOf(property), optional, meaning: meaningOf(property) }
    return [field, ...fieldsOf(objectIn(property), at)]
  })
}

/** An optional field has its words on what it is when it is there. */
function meaningOf({ description, anyOf = [] }: Schema): string {
  return description ?? anyOf.find((each) => each.description !== undefined)?.description ?? ''
}

/** The object behind an optional or listed one. */
function objectIn(schema: Schema): Schema {
  const branch = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array')
  const found = branch ?? schema
  return found.items ?? found
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.join(', ')
  if (schema.type === 'array' && schema.items !== undefined)
    return `list of ${typeOf(schema.items)}`
  return schema.type ?? 'any'
}
