// Ends of connections that a read node reports. They need no signature, because the client has
// left; the account has signed that its orders are cancelled then. A report about anything else
// than an armed connection of this node does nothing and leaves no entry in the journal.

import type { AccountId } from '../../core/index.ts'
import type { Sequencer } from '../../sequencer/sequencer.ts'

type Reports = Readonly<{
  sequencer: Pick<Sequencer, 'view' | 'submit'>
  /** Prefix of the names of the node's connections; empty until it is known. */
  owner: () => string
}>

const types = ['EndConnection', 'DisarmConnection'] as const

/** Returns the function that takes the reports of one node. */
export function reportedEnds({ sequencer, owner }: Reports) {
  const underWay = new Map<string, Promise<void>>()
  return (said: unknown, account: unknown, connection: unknown): Promise<void> => {
    const type = types.find((each) => each === said)
    const isOwn = typeof connection === 'string' && owner() !== '' && connection.startsWith(owner())
    if (type === undefined || !isOwn || !Number.isSafeInteger(account)) return Promise.resolve()
    if (!sequencer.view.accounts.isArmed(account as number, connection)) return Promise.resolve()
    const name = `${account} ${connection}`
    const known = underWay.get(name)
    if (known !== undefined) return known
    const command = { type, account: account as AccountId, connection }
    const done = sequencer
      .submit(command, null, true)
      .then(() => undefined)
      .finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }
}
