// Incidents: announcements at GET /status of the public port.

import { impacts, incidentRow } from '../../protocol/schemas/status.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { announce, incidentsIn, say } from '../status/incidents.ts'
import { type AdminCall, admin, order } from './admin-operation.ts'
import { marketIn } from './market-operations.ts'

const words = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2_000, description: `${description}; public` })
const id = Type.String({ minLength: 1, maxLength: 64, description: 'As in GET /incidents' })
const noSubject = { account: '', params: null }

export const announceIncident = admin({
  name: 'announce_incident',
  http: 'POST /incidents/announce',
  scope: 'operate',
  summary: 'Publish an incident, at GET /status of the public port',
  request: Type.Object({
    title: Type.String({ minLength: 1, maxLength: 120, description: 'In a few words' }),
    text: words('What is wrong, and what you do about it'),
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
  reply: Type.Object({ id: Type.String() }),
  async handle(call) {
    const { title, text, impact, markets = [] } = call.request
    for (const symbol of markets) marketIn(call.exchange, symbol)
    const { notes } = call.exchange.view
    const announced = announce(notes, { title, text, impact, markets }, Date.now())
    for (const command of announced.commands) await order(call, command, noSubject)
    return { id: announced.id }
  },
})

type Words = Readonly<{ id: string; text: string }>

async function saidOf(call: AdminCall<Words>, resolves: boolean) {
  const { id: named, text } = call.request
  const said = { at: Date.now(), text, resolves }
  await order(call, say(call.exchange.view.notes, named, said), noSubject)
  return { id: named }
}

export const updateIncident = admin({
  name: 'update_incident',
  http: 'POST /incidents/update',
  scope: 'operate',
  summary: 'Add an update to an open incident',
  request: Type.Object({ id, text: words('What is known now') }),
  reply: Type.Object({ id: Type.String() }),
  handle: (call) => saidOf(call, false),
})

export const resolveIncident = admin({
  name: 'resolve_incident',
  http: 'POST /incidents/resolve',
  scope: 'operate',
  summary: 'Resolve an incident',
  request: Type.Object({ id, text: words('What it was, and what became of it') }),
  reply: Type.Object({ id: Type.String() }),
  handle: (call) => saidOf(call, true),
})

export const listIncidents = admin({
  name: 'list_incidents',
  http: 'GET /incidents',
  scope: 'read',
  summary: 'List incidents: open ones first, then resolved ones, newest first',
  request: Type.Object({}),
  reply: Type.Array(incidentRow),
  handle: ({ exchange }) => [...incidentsIn(exchange.view.notes)],
})
