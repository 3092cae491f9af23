// `openperp key new` and `openperp key show`.

import { command } from './frame/command.ts'
import { misused } from './frame/exit-codes.ts'
import { type Environment, pairsOf } from './frame/screen.ts'
import { findKey, keyFileOf, keyOptions, writeNewKey } from './key-source.ts'
import { forgetVenue, readVenue } from './key-venues.ts'

export const key = command({
  name: 'key',
  group: 'keys',
  summary: 'Create a key (new), show the current key (show, address), or forget its venue (unpin)',
  about:
    'A key is an Ed25519 key pair; its address is your account. `key new` writes the ' +
    'secret to a file that only you may read (mode 600); a file that others may read is ' +
    'refused. Looked for, in this order: --key, OPENPERP_KEY, the key file. The secret is ' +
    'printed by `key show --secret` alone. A key belongs to the first exchange that it signs ' +
    'for: what it signs names that venue and has no effect elsewhere. `key unpin` lets it belong ' +
    'to the next one.',
  arguments: [{ name: 'new|show|address|unpin', about: 'what to do', required: true }],
  options: {
    ...keyOptions,
    secret: { about: 'with show: include the secret key' },
  },
  examples: [
    'openperp key new',
    'openperp key new --key-file ./bot.key',
    'openperp key show',
    'openperp key address --key-file ./bot.key',
    'openperp key unpin --key-file ./bot.key',
    'openperp key show --key alice --secret',
  ],
  async run({ values, words: [action], environment }) {
    if (action === 'new') {
      if (values.key !== undefined) throw misused('key new makes a key; --key would name another')
      const file = keyFileOf(values, environment)
      const { address } = writeNewKey(file)
      return {
        json: { address, file },
        lines: pairsOf([
          ['address', address],
          ['file', `${file} (mode 600; keep a copy, there is no other)`],
        ]),
      }
    }
    if (action === 'address') {
      const { address } = findKey(values, environment).key
      return { json: { address }, lines: [address] }
    }
    if (action === 'unpin') return unpinned(findKey(values, environment).key.address, environment)
    if (action !== 'show')
      throw misused(`key has no ${action}`, 'key new, key show, key address, key unpin')
    const { key: found, from } = findKey(values, environment)
    const { address, secret } = found
    const pin = readVenue(address, environment)
    const shown = {
      ...(pin !== null && { venue: pin.venue }),
      ...(values.secret === true && { secret }),
    }
    return {
      json: { address, from, ...shown },
      lines: pairsOf([['address', address], ['from', from], ...Object.entries(shown)]),
    }
  },
})

function unpinned(address: string, environment: Environment) {
  const venue = readVenue(address, environment)?.venue ?? null
  forgetVenue(address, environment)
  const text =
    venue === null ? 'was not used with any venue' : `does not belong to ${venue} any more`
  return { json: { address, venue }, lines: [`${address} ${text}`] }
}
