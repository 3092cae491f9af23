// A recorded command with the ids of the variant. What is an id follows from the kinds of its
// fields, so that a new command needs nothing here.

import { type Command, commandFields, commandRecords, quoteFields } from '../../core/index.ts'
import { type IdKind, idKinds } from './id-map.ts'

export type Kind = IdKind | 'account' | 'market'
/** `null`: the variant has no such account or market. */
export type MapId = (kind: Kind, id: number) => number | null

type Fields = Readonly<Record<string, string>>
type Path = Readonly<{ name: string; kind: Kind | 'action'; below: readonly Path[] }>

const kinds: ReadonlySet<string> = new Set([...idKinds, 'account', 'market'])
const paths = new Map<string, readonly Path[]>()

/** The fields of a command that have ids, also inside records and actions. */
export function idPathsOf(type: string): readonly Path[] {
  let known = paths.get(type)
  if (known === undefined) {
    const fields = type === 'Quote' ? quoteFields : commandFields[type as Command['type']]
    known = pathsIn(fields)
    paths.set(type, known)
  }
  return known
}

function pathsIn(fields: Fields): readonly Path[] {
  return Object.entries(fields).flatMap(([name, written]): readonly Path[] => {
    const kind = written.replace(/\?$|\|null|\[\]/g, '').replace(/\?$/, '')
    if (kinds.has(kind)) return [{ name, kind: kind as Kind, below: [] }]
    if (kind === 'action') return [{ name, kind, below: [] }]
    const record = (commandRecords as Readonly<Record<string, Fields>>)[kind]
    const below = record === undefined ? [] : pathsIn(record)
    return below.length === 0 ? [] : [{ name, kind: 'action' as const, below }]
  })
}

/** `null`: it names an account or a market that the variant does not have. */
export function mappedCommand(command: Command, map: MapId): Command | null {
  return mapped(command as unknown as Values, idPathsOf(command.type), map) as Command | null
}

type Values = Readonly<{ [name: string]: unknown }>

function mapped(record: Values, fields: readonly Path[], map: MapId): Values | null {
  let copy: { [name: string]: unknown } | null = null
  for (const { name, kind, below } of fields) {
    const value = record[name]
    if (value == null) continue
    const one = (each: unknown): unknown => {
      if (kind !== 'action') return map(kind, each as number)
      const inner = below.length > 0 ? below : idPathsOf(String((each as Values).type))
      return mapped(each as Values, inner, map)
    }
    const changed = Array.isArray(value) ? value.map(one) : one(value)
    if (changed === null || (Array.isArray(changed) && changed.includes(null))) return null
    if (changed === value) continue
    copy ??= { ...record }
    copy[name] = changed
  }
  return copy ?? record
}
