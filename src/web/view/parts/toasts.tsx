import { type Notices, stacked } from '../../model/notices.ts'
import { CloseIcon } from './icons.tsx'

/** Shows notices. They use polite announcements, because a fill must not interrupt a screen
 *  reader. */
export function Toasts({ notices }: { notices: Notices }) {
  return (
    <section class="toasts" aria-live="polite" aria-label="Notices">
      {stacked(notices.shown.value).map((notice) => (
        <div key={notice.id} class={`toast ${notice.kind}`} role="status">
          <strong>{notice.title}</strong>
          <button
            type="button"
            class="button small"
            aria-label="Dismiss"
            onClick={() => notices.close(notice.id)}
          >
            <CloseIcon />
          </button>
          <p>{notice.text}</p>
          <button
            type="button"
            class="link"
            onClick={() => {
              notice.link.open()
              notices.close(notice.id)
            }}
          >
            {notice.link.label}
          </button>
        </div>
      ))}
    </section>
  )
}
