// The types of what channels send, and of the replies to requests over the websocket.

import type { Schema } from '../../gateway/documents/fields.ts'
import { dataSchemas } from '../../protocol/streams/channel-schemas.ts'
import { type ChannelName, type Declaration, declared } from '../../protocol/streams/channels.ts'
import { commentText, objectText } from './type-text.ts'

const names = Object.keys(declared) as ChannelName[]
const typeName = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`

export function channelTypes(): string {
  return names
    .map((name) => {
      const { sources, summary } = declared[name]
      const schema = dataSchemas[name] as Schema
      const type = typeName(name)
      const spelled = sources.map((source) => `\`${source}\``).join(', ')
      const said = commentText([`${summary}.`, '', `Channel ${spelled}.`], '')
      const { items } = schema
      if (items === undefined) return `${said}export interface ${type}Data ${objectText(schema)}\n`
      const row = commentText([`A row of ${spelled}.`], '')
      return (
        `${row}export interface ${type}DataRow ${objectText(items)}\n\n` +
        `${said}export type ${type}Data = ${type}DataRow[]\n`
      )
    })
    .join('\n')
}

/** By name: the parameters of a subscription, and the `data` of its frames. */
export function channelTables(): string {
  const rows = names.flatMap((name) => declared[name].sources.map((source) => ({ source, name })))
  const kindOf = ({ since, of }: Declaration) => (since === true ? 'past' : of)
  const ofs = rows.map(({ source, name }) => `  ${source}: '${kindOf(declared[name])}'\n`)
  const data = rows.map(({ source, name }) => `  ${source}: ${typeName(name)}Data\n`)
  return (
    `interface SourceKinds {\n${ofs.join('')}}\n\ninterface SourceData {\n${data.join('')}}\n\n` +
    '/** A channel, in any of its spellings. */\nexport type Source = keyof SourceKinds\n\n' +
    '/** The fields of a subscription to a channel, other than its name. */\n' +
    'export type OfSource<S extends Source> = SourceKinds[S]\n\n' +
    '/** The `data` of the frames of a channel. */\n' +
    'export type DataOf<S extends Source> = SourceData[S]\n'
  )
}
