// What the Python client knows about the channels of the websocket.

import { dataSchemas } from '../../protocol/streams/channel-schemas.ts'
import { type ChannelName, type Declaration, declared } from '../../protocol/streams/channels.ts'
import { formOf, type Schema } from './python-forms.ts'
import { generatedNote } from './python-operations.ts'
import { literal } from './python-text.ts'

const names = Object.keys(declared) as ChannelName[]

function rowText(name: ChannelName): string {
  const { sources, of, sends, inParts, since, summary }: Declaration = declared[name]
  const marks = [
    ...(inParts === true ? ['in_parts=True'] : []),
    ...(since === true ? ['since=True'] : []),
  ].map((text) => `        ${text},\n`)
  const form = formOf(dataSchemas[name] as Schema)
  const data = form === null ? '' : `        data=${literal(form, '        ', 6)},\n`
  const spelled = literal([...sources], '    ', 20)
  return (
    `    # ${summary}.\n    *_channel(\n        ${spelled},\n        ${JSON.stringify(of)},\n` +
    `        ${JSON.stringify(sends)},\n${marks.join('')}${data}    ),\n`
  )
}

/** `python/openperp/_channels.py`. */
export function pythonChannels(): string {
  return `"""The channels of the websocket, by each of their spellings."""

${generatedNote}
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

from ._decimals import D


class Channel(NamedTuple):
    source: str
    #: Kind of the parameters: \`\`all\`\` has none.
    of: str
    #: \`\`state\`\`, \`\`list\`\` or \`\`events\`\`.
    sends: str
    in_parts: bool = False
    since: bool = False
    data: Any = None


def _channel(
    sources: List[str],
    of: str,
    sends: str,
    in_parts: bool = False,
    since: bool = False,
    data: Any = None,
) -> List[Tuple[str, Channel]]:
    return [(source, Channel(source, of, sends, in_parts, since, data)) for source in sources]


_ALL: List[Tuple[str, Channel]] = [
${names.map(rowText).join('')}]

CHANNELS: Dict[str, Channel] = dict(_ALL)
`
}
