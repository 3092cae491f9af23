import { noticeOf } from '../../model/market/standing.ts'
import { useTerminal } from '../use-terminal.ts'

/** The notice above the page while the selected market is not fully live. */
export function MarketNotice() {
  const { markets } = useTerminal()
  const notice = noticeOf(markets.standing.value)
  return (
    <div class="notices" role="status">
      {notice !== null && (
        <p class={`market-notice ${notice.tone}`}>
          <b>
            {markets.symbol.value} is {notice.label}.
          </b>{' '}
          {notice.text} <span class="can">{notice.can}</span>
        </p>
      )}
    </div>
  )
}
