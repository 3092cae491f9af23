// Which browser the browser tests use: the one that OPENPERP_CHROMIUM names, a Chromium or Chrome
// on the PATH, or the one that a development dependency carries packed, which is built for one
// processor only. A browser that was named or found and does not start is a failure, not a reason
// to look further.

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The names under which packages install Chromium and Chrome. */
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
] as const

export type ChosenBrowser =
  | Readonly<{ kind: 'installed'; path: string }>
  | Readonly<{ kind: 'packed' }>
  | Readonly<{ kind: 'none' }>

type Machine = Readonly<{ platform: string; arch: string }>

export const howToGetOne =
  'no browser: install Chromium or Chrome so that it is on the PATH (Debian: apt install ' +
  'chromium), or set OPENPERP_CHROMIUM to the program'

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, or not for us: another folder of the PATH may have it.
    return false
  }
}

export function chosenBrowser(
  env: NodeJS.ProcessEnv = process.env,
  { platform, arch }: Machine = process,
): ChosenBrowser {
  const named = env.OPENPERP_CHROMIUM
  if (named) return { kind: 'installed', path: named }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, name)
      if (isProgram(path)) return { kind: 'installed', path }
    }
  return { kind: platform === 'linux' && arch === 'x64' ? 'packed' : 'none' }
}
