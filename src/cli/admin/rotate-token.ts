// `openperp admin token rotate`: a new secret for one holder, in the token file and in the holder's
// own file next to it. It works on files, because a token must not allow creating others, and
// because a stolen token may be the only one there is.

import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Call, command } from '../frame/command.ts'
import { CliError, misused } from '../frame/exit-codes.ts'
import { requirePrivate } from '../key-source.ts'
import { confirm } from './confirm.ts'
import { newToken } from './new-token.ts'

const fileDefault = 'secrets/tokens'

const options = {
  'tokens-file': {
    value: '<file>',
    about: `file that adminTokensFile names (default: ./${fileDefault})`,
  },
  yes: { about: 'do not ask for confirmation' },
} as const

export const rotateToken = command({
  name: 'admin token rotate',
  group: 'operating',
  summary: 'Replace an admin token, for example after it was stolen or its holder left',
  about:
    'Edits the token files on the machine of the venue; the admin plane is not called. The new ' +
    'token is shown once, and written to <name>.token next to the token file if that exists. ' +
    'Scopes do not change. The old token works until the exchange restarts: restart it ' +
    'immediately. Tokens in the setting adminTokens are changed there.',
  arguments: [
    {
      name: 'name',
      about: 'name of the token, as `openperp admin tokens` lists it',
      required: true,
    },
  ],
  options,
  examples: [
    'openperp admin token rotate operator',
    'openperp admin token rotate second --tokens-file /etc/openperp/tokens',
  ],
  run,
})

async function run(call: Call<typeof options>) {
  const [name = ''] = call.words
  requireName(name)
  const file = resolve(call.values['tokens-file'] ?? fileDefault)
  const text = textOf(file)
  const token = newToken()
  const rotated = withToken(text, name, token, file)
  const own = join(dirname(file), `${name}.token`)
  const files = existsSync(own) ? [file, own] : [file]
  if (call.values.yes !== true)
    await confirm(call, [`The token of ${name} is replaced in ${files.join(' and ')}.`])
  replaceFile(file, rotated)
  if (files.includes(own)) replaceFile(own, `${token}\n`)
  return {
    json: { name, token, files },
    lines: [
      `The token of ${name}, shown this once: ${token}`,
      `Written to ${files.join(' and ')}.`,
      '',
      'The old one serves until the exchange is started again: do that now. Then',
      '`openperp admin journal` shows what was done with it.',
    ],
  }
}

/** Separators of the file must not occur in a name. */
function requireName(name: string): void {
  if (/^[^\p{C}\p{Zl}\p{Zp},:]+$/u.test(name)) return
  throw misused(
    `${JSON.stringify(name)} is not a token name: no comma, colon or control character is allowed`,
    '`openperp admin tokens` lists the names',
  )
}

function textOf(file: string): string {
  try {
    requirePrivate(file)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CliError) throw error
    throw misused(
      `the file of tokens ${file} cannot be read: ${(error as Error).message}`,
      '--tokens-file names the one of adminTokensFile (OPENPERP_ADMIN_TOKENS_FILE)',
    )
  }
}

/** Lines of `name:token:scope+scope`, or several of them with commas; comments stay. */
function withToken(text: string, name: string, token: string, file: string): string {
  const names: string[] = []
  const lines = text.split('\n').map((line) => {
    if (line.trim() === '' || line.trim().startsWith('#')) return line
    return line
      .split(',')
      .map((entry) => {
        const [holder = '', , scopes = ''] = entry.trim().split(':')
        names.push(holder)
        return holder === name ? `${name}:${token}:${scopes}` : entry
      })
      .join(',')
  })
  const found = names.filter((each) => each === name).length
  if (found === 1) return lines.join('\n')
  throw misused(
    found === 0
      ? `${file} has no token called ${name}`
      : `${file} has ${found} tokens called ${name}`,
    `there are ${names.join(', ')}`,
  )
}

/** Atomically, with the owner and mode of the old file. */
function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`
  const { uid, gid } = statSync(file)
  try {
    const descriptor = openSync(temporary, 'wx', 0o600)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    const now = statSync(temporary)
    if (now.uid !== uid || now.gid !== gid) chownSync(temporary, uid, gid)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { message } = error as Error
    throw new CliError('refused', `${file} cannot be written: ${message}`, { cause: error })
  }
}
