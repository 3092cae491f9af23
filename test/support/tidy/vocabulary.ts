// Words of a private dialect, and the plain words for them. They are looked for in code (names
// included, part by part), text and documents. What is left of them is counted for each zone.

import { lineAt } from './scan-source.ts'

export type Finding = Readonly<{ line: number; word: string; better: string }>

type Entry = Readonly<{ words: RegExp; better: string }>

const entry = (words: string, better: string): Entry => ({
  words: new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'g'),
  better,
})

const vocabulary: readonly Entry[] = [
  entry(
    '(?:tells?|told|telling)(?!(?: [a-z-]+){0,3} apart)',
    'publish, report, return, notify, say',
  ),
  entry(
    '(?<!(?:an|the|one) )asks? for(?! confirmation)|asked|askers?',
    'request, requested, caller',
  ),
  entry(
    'whoever|(?<![a-z],? )who has|somebody|nobody|everybody',
    'the caller, any client, no account',
  ),
  entry('he|him|himself|his', 'it, they, the trader'),
  entry('(?<!there )(?:is|are) no(?= [a-z])(?! longer| more| further)', 'is not a, are not'),
  entry('anew|once more', 'again, re-'),
  entry('unless given|(?:is|are|if) left out', '(default: X), optional'),
  entry('at once', 'immediately; or: together'),
  entry('(?:is|are|was|were) gone', 'is cancelled, expires, is closed'),
  entry('dead(?! man)', 'expired, stale, exited'),
  entry('silent', 'stale'),
  entry('so many|so much', 'N, this many'),
  entry('beside|besides', 'next to, in addition to'),
  entry('judges?|judged|judging', 'check, validate, evaluate'),
  entry('reckons?|reckoned|reckoning', 'compute, calculate, estimate'),
  entry('(?:stands|stood|stand) (?:in|at)', 'is in, is at'),
  entry('(?:comes?|came) to nothing', 'has no effect, is not filled'),
  entry('(?:brings?|goes|go) along', 'attach, include; is included'),
  entry('gives? way', 'yields, is replaced, is cancelled'),
  entry('(?:put|puts) in|(?:take|takes|taken) out', 'add, insert; remove, delete'),
  entry('plenty', 'sufficient margin'),
  entry('spoiled', 'malformed'),
  entry('holes?', 'vulnerability, gap'),
  entry('money in and out', 'deposits and withdrawals'),
  entry('wrong words', 'invalid value'),
]

/** Fixed names: of the journal, settings, faults, the exported client, wallets, a system user. */
const fixedNames = new RegExp(
  [
    /\b(?:TellPast|PastTold|silentMs|silent: (?:boolean|true)|judged(?=: ))\b/,
    /(?<=readonly |\.|[=,] |[`'])judged\b/,
    /[`'"]silent[`'"]/,
    /\^nobody:/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Names are read part by part: `tellFills` as `tell fills`. */
export function dialectIn(text: string): readonly Finding[] {
  const open = text.replace(fixedNames, '')
  const reading = open.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase()
  return vocabulary.flatMap(({ words, better }) =>
    [...reading.matchAll(words)].map(({ 0: word, index }) => {
      return { line: lineAt(reading, index), word, better }
    }),
  )
}

/** Files whose words are not ours to choose, or that list the words. */
const exempt = [
  /^docs\/api\/(?:contract|reference)\.md$/,
  /^docs\/operating\/cli\.md$/,
  /^CHANGELOG\.md$/,
  /^test\/support\/tidy\/vocabulary/,
]

/** Such as `src/core`, `docs/rules`, `test`; undefined: the words of the file are not counted. */
export function dialectZone(path: string): string | undefined {
  if (!/\.(?:tsx?|mjs|py|md|html|css)$/.test(path)) return undefined
  if (exempt.some((pattern) => pattern.test(path))) return undefined
  const [first, second, third] = path.split('/')
  if (second === undefined) return 'root'
  const isDeep = first === 'src' || first === 'docs'
  return isDeep && third !== undefined ? `${first}/${second}` : first
}
