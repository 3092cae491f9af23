// A real Chromium, driven over a pipe. The packed one is unpacked once into node_modules, next to
// its package, and moved into place by a rename, so that any number of tests may start together.

import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { chosenBrowser, howToGetOne } from './chosen-browser.ts'

/** Not imported: Node would first read its four megabytes for names that it exports. */
const { chromium }: typeof import('playwright-core') = createRequire(import.meta.url)(
  'playwright-core',
)

/** The clone, from `dist/test/support/browser`. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const place = join(root, 'node_modules', '.cache', 'chromium')

/** A start takes a second or two; on a machine that is busy with other things, ten. */
const startMs = 20_000

async function unpacked(): Promise<string> {
  if (existsSync(join(place, 'ready'))) return place
  mkdirSync(dirname(place), { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  const fonts = join(place, 'fonts')
  const cache = join(place, 'font-cache')
  const config = `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>`
  writeFileSync(join(folder, 'fonts', 'fonts.conf'), config)
  writeFileSync(join(folder, 'ready'), '')
  try {
    renameSync(folder, place)
  } catch (error) {
    // Another test was first.
    if (!existsSync(join(place, 'ready'))) throw error
    rmSync(folder, { recursive: true, force: true })
  }
  return place
}

type Program = Readonly<{ executablePath: string; env: NodeJS.ProcessEnv }>

async function program(): Promise<Program> {
  const chosen = chosenBrowser()
  if (chosen.kind === 'none') throw new Error(howToGetOne)
  if (chosen.kind === 'installed') return { executablePath: chosen.path, env: process.env }
  const folder = await unpacked()
  const env = { ...process.env, FONTCONFIG_PATH: join(folder, 'fonts') }
  return { executablePath: join(folder, 'chromium'), env }
}

export type RunningBrowser = Readonly<{
  browser: Browser
  /** Immediately: an orderly end takes seconds, and there is nothing to keep. */
  end(): Promise<void>
}>

/** Playwright starts processes of its own, and ends a browser in its own slow way. */
async function begunBy<T>(work: () => Promise<T>, begun: ChildProcess[]): Promise<T> {
  const hear = (message: unknown) => begun.push((message as { process: ChildProcess }).process)
  subscribe('child_process', hear)
  try {
    return await work()
  } finally {
    unsubscribe('child_process', hear)
  }
}

/** Playwright gives one that never answered half a minute to end by itself, and nothing that waits
 *  for it could end before. It leads a group of its own. */
async function kill(child: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const closed = once(child, 'close')
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended this moment.
  }
  await closed
}

async function start(): Promise<RunningBrowser> {
  const { executablePath, env } = await program()
  const args = [
    // Containers allow no sandbox, and neither may root have one.
    '--no-sandbox',
    // The terminal draws in two dimensions: emulating a card doubles the work of each page.
    '--disable-gpu',
    // Requests to any host but the exchange are blocked.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
  ]
  const options = { executablePath, env: env as Record<string, string>, timeout: startMs, args }
  const begun: ChildProcess[] = []
  const end = async () => {
    await Promise.all(begun.filter(({ spawnfile }) => spawnfile === executablePath).map(kill))
  }
  try {
    return { browser: await begunBy(() => chromium.launch(options), begun), end }
  } catch (cause) {
    await end()
    throw new Error(`the browser ${executablePath} does not start`, { cause })
  }
}

/** What kept it from starting: it is not waited for a second time. */
let broken: unknown = null

export async function launchBrowser(): Promise<RunningBrowser> {
  if (broken !== null) throw broken
  return start().catch((error: unknown) => {
    broken = error
    throw error
  })
}
