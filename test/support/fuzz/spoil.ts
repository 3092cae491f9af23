// Spoils a good body: one to three fields become something else, vanish, double or nest.

import type { Random } from '../../programs/differential/random.ts'

const huge = 'x'.repeat(5_000)
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** JSON texts that take the place of a value. */
const strangers: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e-7',
  '1e400',
  '9007199254740991',
  '9007199254740993',
  '123456789012345678901234567890',
  '"0"',
  '"-1"',
  '"1e5"',
  '"0x10"',
  '"NaN"',
  '"Infinity"',
  '"00.1"',
  '"1."',
  '".5"',
  '"99999999999999999999999999999999999999"',
  '"0.0000000000000000000000000000000000001"',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"日本語 🚀"',
  '"__proto__"',
  '"constructor"',
  `"${huge}"`,
  '[]',
  '{}',
  '[null]',
  '{"a":{"b":{"c":{}}}}',
  '{"__proto__":{"admin":true}}',
  deep(10),
  deep(500),
]

type Json = Record<string, unknown>

/** The body as an object that can still be signed. */
export function malformedValue(body: Json, random: Random): Json {
  const malformed: Json = { ...body }
  for (let n = random.between(1, 3); n > 0; n--) {
    const names = Object.keys(malformed)
    const name = random.any(names) ?? 'extra'
    const way = random.weighted({ swap: 6, drop: 2, add: 1, inner: 2, copy: 1 })
    if (way === 'drop') delete malformed[name]
    else if (way === 'add')
      malformed[random.pick(['extra', 'toString', 'length', 'x'])] = strange(random)
    else if (way === 'copy') malformed[name] = malformed[random.any(names) ?? 'extra']
    else if (way === 'inner' && isObject(malformed[name]))
      malformed[name] = malformedValue(malformed[name], random)
    else malformed[name] = strange(random)
  }
  return malformed
}

function strange(random: Random): unknown {
  return JSON.parse(random.pick(strangers))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a body, broken as text. */
export function malformedText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const stranger = random.pick(strangers)
  switch (random.weighted({ cut: 3, insert: 3, flip: 3, double: 2, wrap: 1, other: 2 })) {
    case 'cut':
      return text.slice(0, at)
    case 'insert':
      return (
        text.slice(0, at) +
        random.pick(['{', '}', '"', ',', ':', '\\', '\u0000', 'e9']) +
        text.slice(at)
      )
    case 'flip':
      return text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1)
    case 'double':
      return text.replace('{', `{"symbol":${stranger},"account":${stranger},`)
    case 'wrap':
      return deep(random.between(1, 3_000)).replace('[]', `[${text}]`)
    default:
      return stranger
  }
}

export function malformedQuery(query: URLSearchParams, random: Random): string {
  const text = query.toString()
  const strange = random.pick(strangers)
  const name = random.any([...query.keys()]) ?? 'account'
  switch (random.weighted({ swap: 5, raw: 2, twice: 2, many: 1, long: 1, encoded: 2, cut: 1 })) {
    case 'swap':
      query.set(name, strange.replaceAll('"', ''))
      return query.toString().slice(0, 4_000)
    case 'raw':
      return encodeURI(`${text}&${strange}`).slice(0, 4_000)
    case 'twice':
      return `${text}&${name}=1&${name}[]=2&${name}[x]=3`
    case 'many':
      return Array.from({ length: 300 }, (_, n) => `p${n}=${n}`).join('&')
    case 'long':
      return `${name}=${huge}`
    case 'encoded':
      return `${name}=%${random.pick(['', 'zz', '00', 'c3%28', 'ff', 'e2%82'])}&${text}`
    default:
      return text.slice(0, random.below(text.length + 1))
  }
}
