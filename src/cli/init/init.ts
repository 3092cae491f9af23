// `openperp init venue`: creates the configuration of a venue.

import { basename, resolve } from 'node:path'
import {
  type MarketTemplate,
  marketCatalogue,
  templateNamed,
  templateNames,
} from '../../protocol/admin/market-catalogue.ts'
import {
  type PriceSourceKind,
  priceSourceKindNames,
  priceSourceKinds,
} from '../../protocol/admin/price-source-kinds.ts'
import { type Call, command, family, type Options } from '../frame/command.ts'
import { misused } from '../frame/exit-codes.ts'
import { makeTokens, type VenuePlan, writeVenue } from './venue-files.ts'

/** Sources that need no further settings. */
const offered = priceSourceKindNames.filter((kind) => kind !== 'http' && kind !== 'pyth')
const marketsUsual = 'btc,eth'
const sourcesUsual = 'binance,coinbase,kraken'

const initVenue = command({
  name: 'init venue',
  group: 'exchange',
  summary: 'Write the configuration and admin tokens of a new venue into a folder',
  about:
    'Asks what is not given. Writes openperp.env, in which every line says why it is there, and ' +
    'secrets/ (mode 600) with tokens and the key of the house; a folder that has something in it ' +
    'is left alone. The tokens are shown once. Then `openperp start` in that folder is the ' +
    'venue. Markets come from a catalogue: ' +
    `${templateNames.join(', ')}. docs/operating/first-day.md goes on from there.`,
  arguments: [{ name: 'folder', about: 'new folder', required: true }],
  options: {
    name: { value: '<text>', about: 'name of the venue (default: that of the folder)' },
    markets: { value: '<a,b,…>', about: `markets of the catalogue, such as ${marketsUsual}` },
    sources: { value: '<a,b,…>', about: `of prices: ${offered.join(', ')}` },
    'source-url': {
      value: '<kind=url,…>',
      about: 'another address of a source, for example of a region',
    },
    push: { about: 'also write a token that pushes prices' },
    port: { value: '<port>', about: 'port of the API (default: 8080)' },
    'admin-port': { value: '<port>', about: 'port of the admin plane (default: 8081)' },
  },
  examples: [
    'openperp init venue my-venue',
    'openperp init venue my-venue --markets btc,eth,xau --sources binance,okx,coinbase,kraken',
  ],
  async run(call) {
    const folder = resolve(call.words[0]!)
    const plan = await planOf(call, folder)
    const tokens = makeTokens(plan)
    const { files, house } = writeVenue(folder, plan, tokens)
    const warnings = plan.templates.flatMap(warningOf)
    const shown = tokens.map(({ name, token, about }) => `  ${name.padEnd(8)}  ${token}  ${about}`)
    return {
      json: {
        folder,
        files,
        house,
        markets: plan.templates.map(({ name }) => name),
        tokens,
        warnings,
      },
      lines: [
        `${plan.name} is in ${folder}.`,
        '',
        'Its tokens, shown this once (secrets/ has them, for you alone):',
        ...shown,
        '',
        `The account of the house, whose money fills the reserves (secrets/house.key): ${house}`,
        '',
        'Next:',
        `  cd ${call.words[0]}`,
        '  npx openperp start                 # leave it running; the rest in another terminal',
        '  npx openperp admin prices          # each source says its prices',
        ...plan.templates.map(
          ({ name }) =>
            `  npx openperp admin market list --template ${name} --reason 'opening ${name}'`,
        ),
        ...warnings.flatMap((warning) => ['', warning]),
        '',
        'docs/operating/first-day.md goes on from here: reserves, a first deposit, a first trade.',
      ],
    }
  },
})

export const init = family({
  name: 'init',
  group: 'exchange',
  summary: 'Create a new venue: configuration, tokens, markets and price sources (init venue)',
  about: 'A sandbox needs none of this: `openperp start` runs one as it is.',
  examples: ['openperp init venue my-venue'],
  parts: [initVenue],
})

async function planOf(call: Call<Options>, folder: string): Promise<VenuePlan> {
  const values: Readonly<Record<string, string | boolean | undefined>> = call.values
  const ask = async (flag: string, question: string, usual: string) => {
    const given = values[flag]
    if (typeof given === 'string') return given
    const answer = await call.keyboard?.ask(`${question} [${usual}]`)
    if (answer !== undefined) return answer === '' ? usual : answer
    if (flag === 'name') return usual
    throw misused(`--${flag} is required without a terminal`, `--${flag} ${usual}`)
  }
  const name = await ask('name', 'What is the venue called?', basename(folder))
  if (!/^[^\r\n]{1,80}$/.test(name)) throw misused('--name must be one line of 1 to 80 characters')
  const known = `Which markets, of ${templateNames.join(', ')}?`
  const templates = templatesOf(await ask('markets', known, marketsUsual))
  const places = `Prices of which, of ${offered.join(', ')}?`
  const sources = sourcesOf(await ask('sources', places, sourcesUsual))
  const plan = {
    ...{ name, templates, sources, pushes: values.push === true },
    urls: urlsOf(String(values['source-url'] ?? ''), sources),
    port: portOf('port', values.port ?? '8080'),
    adminPort: portOf('admin-port', values['admin-port'] ?? '8081'),
  }
  for (const template of templates) requireSources(plan, template)
  return plan
}

const wordsOf = (text: string) => [
  ...new Set(text.split(',').map((word) => word.trim().toLowerCase())),
]

function templatesOf(text: string): readonly MarketTemplate[] {
  return wordsOf(text).map((word) => {
    const template = templateNamed(word)
    if (template !== undefined) return template
    const there = marketCatalogue.map(({ name, about }) => `${name} (${about})`).join(', ')
    throw misused(`there is no market ${word} in the catalogue`, `there are ${there}`)
  })
}

function sourcesOf(text: string): readonly PriceSourceKind[] {
  return wordsOf(text).map((word) => {
    const kind = offered.find((each) => each === word)
    if (kind !== undefined) return kind
    const other = 'pyth and http need more than a name: docs/operating/price-sources.md'
    throw misused(`${word} is not a price source`, `available: ${offered.join(', ')}; ${other}`)
  })
}

function urlsOf(text: string, sources: readonly PriceSourceKind[]): VenuePlan['urls'] {
  if (text === '') return {}
  const pairs = text.split(',').map((pair) => {
    const [kind, ...rest] = pair.split('=') as [string, ...string[]]
    const found = sources.find((source) => source === kind)
    const url = rest.join('=')
    const schemes: readonly string[] = found === undefined ? [] : priceSourceKinds[found].schemes
    if (found === undefined || !schemes.some((scheme) => url.startsWith(`${scheme}//`)))
      throw misused(`--source-url ${pair} names no address of a source`, 'such as kraken=wss://…')
    return [found, url] as const
  })
  return Object.fromEntries(pairs)
}

function portOf(flag: string, given: string | boolean): number {
  const port = /^\d{1,5}$/.test(String(given)) ? Number.parseInt(String(given), 10) : -1
  if (port >= 0 && port <= 65_535) return port
  throw misused(`--${flag} must be a whole number from 0 to 65535, not ${given}`)
}

/** For a market that no built-in source has: a venue begins without its prices. */
function warningOf({ listing, sources }: MarketTemplate): readonly string[] {
  if (Object.keys(sources).length > 0) return []
  return [
    `Warning: ${listing.symbol} has no source of prices yet, and does not trade without ` +
      `${listing.min_sources}. Add them to OPENPERP_PRICE_SOURCES (http), or push with as many ` +
      'tokens of the scope prices: docs/operating/price-sources.md.',
  ]
}

/** A market with fewer sources than it requires would never trade. */
function requireSources({ sources, pushes }: VenuePlan, template: MarketTemplate): void {
  const { name, listing } = template
  const available = sources.filter((kind) => template.sources[kind] !== undefined)
  const could = offered.filter((kind) => template.sources[kind] !== undefined)
  // If no built-in source has it, all of its prices are the operator's own.
  if (pushes && could.length === 0) return
  if (available.length + (pushes ? 1 : 0) >= listing.min_sources) return
  const has = `of these ${available.length} have it`
  throw misused(
    `${name} needs ${listing.min_sources} sources of prices, and ${has}`,
    could.length === 0
      ? '--push makes a token for prices of your own; docs/operating/price-sources.md has http'
      : `these have it: ${could.join(', ')}`,
  )
}
