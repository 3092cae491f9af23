import { useTerminal } from '../use-terminal.ts'
import { StarIcon } from './icons.tsx'

/** Makes a market a favourite, or no longer. */
export function StarButton({ symbol }: { symbol: string }) {
  const { markets, preferences } = useTerminal()
  const favourite = preferences.now.value.favourites.includes(symbol)
  return (
    <button
      type="button"
      class="star"
      aria-pressed={favourite}
      aria-label={`${symbol} is a favourite`}
      onClick={(event) => {
        event.stopPropagation()
        markets.toggleFavourite(symbol)
      }}
    >
      <StarIcon full={favourite} />
    </button>
  )
}
