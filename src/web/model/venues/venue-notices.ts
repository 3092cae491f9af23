// Notices about the exchange that a key belongs to.

import { VenueMismatch } from '../../../client/errors.ts'
import type { Trader } from '../account/trader.ts'
import type { NewNotice } from '../notices.ts'

export const importWarning =
  'Use a key at one exchange only. A request that it signed elsewhere without naming the ' +
  'exchange is valid here too until it expires, and the other way round: a withdrawal, for example.'

type KeyNotices = Readonly<{ show(notice: NewNotice): void; openKeys(): void }>

const link = ({ openKeys }: KeyNotices) => ({ label: 'Keys', open: openKeys })
const about = 'venue of the key'

export function notifyReplaced(notices: KeyNotices): void {
  notices.show({
    kind: 'warning',
    about,
    title: 'Another sandbox',
    text: 'This is not the sandbox that your key was used with before. It signs for this one now.',
    link: link(notices),
  })
}

export function notifyImported(notices: KeyNotices): void {
  const title = 'A key was imported'
  notices.show({ kind: 'warning', title, text: importWarning, stays: true, link: link(notices) })
}

/** Checks before anything is signed whether the key may sign for this exchange. */
export async function checkVenue({ client }: Trader, notices: KeyNotices): Promise<void> {
  try {
    await client.checkVenue()
  } catch (error) {
    // Other failures are reported elsewhere.
    if (!(error instanceof VenueMismatch)) return
    notices.show({
      kind: 'bad',
      about,
      title: 'This key belongs to another exchange',
      text: 'It was used with another exchange before. Nothing is signed with it here.',
      stays: true,
      link: link(notices),
    })
  }
}
