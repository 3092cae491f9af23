// Schemas of the frames of each channel, for the AsyncAPI document and tests. The types come from
// the same declarations.

import type { Static, TSchema } from '../schemas/typebox.ts'
import { type ChannelName, declared } from './channels.ts'
import { fields } from './fields.ts'

export type DataOf<N extends ChannelName> = Static<ReturnType<(typeof declared)[N]['data']>>

const names = Object.keys(declared) as ChannelName[]

export const dataSchemas = Object.fromEntries(
  names.map((name): [string, TSchema] => [name, declared[name].data(fields)]),
) as Readonly<Record<ChannelName, TSchema>>
