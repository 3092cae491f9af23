// Lists the fields of a schema, one per line, for the references.

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
  const objects = objectsIn(schema)
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))
  return [...names].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    const optional = objects.some(({ required = [] }) => !required.includes(name))
    const property = objects.find(({ properties = {} }) => name in properties)!.properties![name]!
    const field = { path: at, type: typeOf(property), optional, meaning: meaningOf(property) }
    return [field, ...fieldsOf(property, at)]
  })
}

/** The description of a field. An optional field has that of its content, and a list that of its
 *  rows. */
export function meaningOf({ description, anyOf = [], items }: Schema): string {
  if (description !== undefined) return description
  const said = anyOf.map(meaningOf).find((each) => each !== '')
  return said ?? (items === undefined ? '' : meaningOf(items))
}

/** The objects in a schema: the object itself, the items of a list, or all branches of a union. */
function objectsIn(schema: Schema): readonly Schema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(objectsIn)
  if (schema.items !== undefined) return objectsIn(schema.items)
  return schema.properties === undefined ? [] : [schema]
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.join(', ')
  if (schema.type === 'array' && schema.items !== undefined)
    return `list of ${typeOf(schema.items)}`
  return schema.type ?? 'any'
}
