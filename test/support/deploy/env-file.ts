// An environment file of deploy/, as systemd and compose read it: names and values, without quotes.

import { readFileSync } from 'node:fs'

export type Variable = Readonly<{
  name: string
  value: string
  /** The comment above it says so. */
  isSecret: boolean
}>

export function readEnvFile(path: string): readonly Variable[] {
  const found: Variable[] = []
  let comment = ''
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) {
      comment = line === '' ? '' : comment + line
      continue
    }
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(\S.*)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`${path}: not a NAME=value: ${line}`)
    found.push({ name, value: value!, isSecret: comment.startsWith('# SECRET: ') })
    comment = ''
  }
  return found
}

export type Values = Readonly<Record<string, string>>

/** The file with other values, as an operator would write them; only names that it already has. */
export function filledIn(path: string, values: Values): Values {
  const variables = readEnvFile(path)
  for (const name of Object.keys(values))
    if (variables.every((variable) => variable.name !== name))
      throw new Error(`${path} has no ${name}`)
  return Object.fromEntries(variables.map(({ name, value }) => [name, values[name] ?? value]))
}
