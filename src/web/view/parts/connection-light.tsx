import { fixed } from '../../model/number-text.ts'
import { useTerminal } from '../use-terminal.ts'

const lightWords = {
  live: 'Live',
  slow: 'Late',
  down: 'Reconnecting',
  start: 'Connecting',
} as const

/** Shows the status of the connection, its latency, and the age of the data. */
export function ConnectionLight({ bare = false }: { bare?: boolean }) {
  const { streams } = useTerminal()
  const { state, latencyMs, ageMs } = streams.light.value
  const repairs = streams.repairs.value
  const figures = [
    latencyMs === null ? null : `${latencyMs} ms`,
    ageMs === null ? null : `data ${fixed(ageMs / 1_000, 1)} s old`,
    repairs === 0 ? null : `${repairs} ${repairs === 1 ? 'gap' : 'gaps'} of the book repaired`,
  ].filter((each) => each !== null)
  return (
    <output class={`light ${state}`} aria-label={`Connection: ${lightWords[state]}`}>
      <i aria-hidden="true" />
      {!bare && lightWords[state]}
      {!bare && <span class="dim">{figures.join(' · ')}</span>}
    </output>
  )
}
