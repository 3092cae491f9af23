// `npm run docs`: writes the API reference, the pages of the admin plane and the command line, and
// the tables of settings and metrics anew.

import { writeFileSync } from 'node:fs'
import { cliPage, cliPageFile } from './cli-page.ts'
import { adminPage, adminPageFile, reference, referenceFile } from './reference.ts'
import { settingsPage, settingsPageFile } from './settings-page.ts'
import { metricsPage, metricsPageFile } from './watching/metrics-page.ts'

for (const [file, text] of [
  [referenceFile, reference()],
  [adminPageFile, adminPage()],
  [cliPageFile, cliPage()],
  [settingsPageFile, settingsPage()],
  [metricsPageFile, metricsPage()],
] as const) {
  writeFileSync(file, text)
  console.log(`wrote ${file}`)
}
