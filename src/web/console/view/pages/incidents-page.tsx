import type { IncidentRow } from '../../../../protocol/schemas/status.ts'
import { Moment } from '../../../view/parts/table.tsx'
import {
  announceIncident,
  resolveIncident,
  updateIncident,
} from '../../model/actions/incident-actions.ts'
import { Act } from '../parts/act.tsx'
import { Badge, Panel, Shown } from '../parts/panel.tsx'
import { useRead } from '../use-console.ts'

export function IncidentsPage() {
  const incidents = useRead('list_incidents')
  const markets = useRead('get_markets')
  const symbols = (markets.value ?? []).map(({ symbol }) => symbol)
  return (
    <>
      <Panel title="Incidents" tools={<Act action={announceIncident(symbols)}>Announce …</Act>}>
        <Shown read={incidents} what="The list of incidents">
          {(rows) => {
            const open = rows.filter(({ resolved_at }) => resolved_at === null).length
            return (
              <p class="nothing">
                {rows.length === 0 ? 'None was announced' : `${open} of ${rows.length} go on`}. They
                are public, at /status of the public port.
              </p>
            )
          }}
        </Shown>
      </Panel>
      {(incidents.value ?? []).map((incident) => (
        <Incident key={incident.id} incident={incident} />
      ))}
    </>
  )
}

function Incident({ incident }: { incident: IncidentRow }) {
  const { title, impact, markets, updates, resolved_at } = incident
  const said = [{ at: incident.announced_at, text: incident.text }, ...updates]
  const tone = impact === 'outage' ? 'bad' : 'warn'
  return (
    <Panel
      title={title}
      tools={
        resolved_at === null ? (
          <div class="row-actions">
            <Badge tone={tone}>{impact}</Badge>
            <Act action={updateIncident(incident)}>Update …</Act>
            <Act action={resolveIncident(incident)}>Resolve …</Act>
          </div>
        ) : (
          <Badge tone="good">resolved</Badge>
        )
      }
    >
      <ol class="said">
        {said.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <Moment at={at} /> <span>{text}</span>
          </li>
        ))}
      </ol>
      <p class="part-foot dim">
        Concerns {markets.length === 0 ? 'all markets' : markets.join(', ')}
      </p>
    </Panel>
  )
}
