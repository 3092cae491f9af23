import { announce, incidentsIn, say } from '../status/incidents.ts'
import { type AdminAnswers, type AdminCall, noSubject, order } from './admin-operation.ts'
import { marketIn } from './market-operations.ts'

type Words = Readonly<{ id: string; text: string }>

async function saidOf(call: AdminCall<Words>, resolves: boolean) {
  const { id: named, text } = call.request
  const said = { at: Date.now(), text, resolves }
  await order(call, say(call.exchange.view.notes, named, said), noSubject)
  return { id: named }
}

export const incidentAnswers = {
  async announce_incident(call) {
    const { title, text, impact, markets = [] } = call.request
    for (const symbol of markets) marketIn(call.exchange, symbol)
    const { notes } = call.exchange.view
    const announced = announce(notes, { title, text, impact, markets }, Date.now())
    for (const command of announced.commands) await order(call, command, noSubject)
    return { id: announced.id }
  },
  update_incident: (call) => saidOf(call, false),
  resolve_incident: (call) => saidOf(call, true),
  list_incidents: ({ exchange }) => [...incidentsIn(exchange.view.notes)],
} satisfies Partial<AdminAnswers>
