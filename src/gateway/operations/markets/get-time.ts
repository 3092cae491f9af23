import { unsigned } from '../../operation.ts'
import { engineNow } from './engine-now.ts'

export const getTime = unsigned({
  name: 'get_time',
  group: 'markets',
  summary: 'Time of the machine and of the exchange',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  async handle({ exchange }) {
    return { now: exchange.wallNow(), engine_now: await engineNow(exchange) }
  },
})
