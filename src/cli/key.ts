// `openperp key new` and `openperp key show`.

import { command } from './frame/command.ts'
import { misused } from './frame/exit-codes.ts'
import { pairsOf } from './frame/screen.ts'
import { findKey, keyFileOf, keyOptions, writeNewKey } from './key-source.ts'

export const key = command({
  name: 'key',
  group: 'keys',
  summary: 'Make a key (new), or show the address of the one in use (show, address)',
  about:
    'A key is an Ed25519 key pair; its address is your account. `key new` writes the ' +
    'secret to a file that only you may read (mode 600); a file that others may read is ' +
    'refused. Looked for, in this order: --key, OPENPERP_KEY, the key file. The secret is ' +
    'printed by `key show --secret` alone.',
  arguments: [{ name: 'new|show|address', about: 'what to do', required: true }],
  options: {
    ...keyOptions,
    secret: { type: 'boolean', about: 'with show: print the secret as well' },
  },
  examples: [
    'openperp key new',
    'openperp key new --key-file ./bot.key',
    'openperp key show',
    'openperp key address --key-file ./bot.key',
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
    if (action !== 'show') throw misused(`key has no ${action}`, 'key new, key show, key address')
    const { key: found, from } = findKey(values, environment)
    const { address, secret } = found
    const shown = values.secret === true ? { secret } : {}
    return {
      json: { address, from, ...shown },
      lines: pairsOf([['address', address], ['from', from], ...Object.entries(shown)]),
    }
  },
})
