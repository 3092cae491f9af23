import { unsigned } from '../../operation.ts'

export const getVenue = unsigned({
  name: 'get_venue',
  group: 'markets',
  handle({ exchange }) {
    const { mode, venue } = exchange.settings
    return { venue: venue.id, sandbox: mode === 'sandbox', required: venue.required }
  },
})
