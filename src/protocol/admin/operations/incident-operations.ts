// Incidents: announcements at GET /status of the public port.

import { text } from '../../schemas/field-types.ts'
import { impacts, incidentRow } from '../../schemas/status.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const words = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2_000, description: `Public text: ${description}` })
const id = Type.String({ minLength: 1, maxLength: 64, description: 'As in GET /incidents' })

export const incidentOperations = {
  announce_incident: {
    http: 'POST /incidents/announce',
    scope: 'operate',
    summary: 'Publish an incident, at GET /status of the public port',
    request: Type.Object({
      title: Type.String({ minLength: 1, maxLength: 120, description: 'Short title' }),
      text: words('the problem, and what you do about it'),
      impact: Type.Enum([...impacts], {
        description: 'notice: for information; outage: trading is not possible',
      }),
      markets: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
          maxItems: 100,
          description: 'Symbols (default: all markets)',
        }),
      ),
    }),
    reply: Type.Object({ id: text() }),
  },
  update_incident: {
    http: 'POST /incidents/update',
    scope: 'operate',
    summary: 'Add an update to an open incident',
    request: Type.Object({ id, text: words('what is known now') }),
    reply: Type.Object({ id: text() }),
  },
  resolve_incident: {
    http: 'POST /incidents/resolve',
    scope: 'operate',
    summary: 'Resolve an incident',
    request: Type.Object({ id, text: words('the cause and the outcome') }),
    reply: Type.Object({ id: text() }),
  },
  list_incidents: {
    http: 'GET /incidents',
    scope: 'read',
    summary: 'List incidents: open ones first, then resolved ones, newest first',
    request: Type.Object({}),
    reply: Type.Array(incidentRow),
  },
} as const satisfies AdminRows
