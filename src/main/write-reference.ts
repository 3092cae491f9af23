// `npm run docs`: writes the API reference, the page of the command line and the table of settings
// anew.

import { writeFileSync } from 'node:fs'
import { cliPage, cliPageFile } from './cli-page.ts'
import { reference, referenceFile } from './reference.ts'
import { settingsPage, settingsPageFile } from './settings-page.ts'

for (const [file, text] of [
  [referenceFile, reference()],
  [cliPageFile, cliPage()],
  [settingsPageFile, settingsPage()],
] as const) {
  writeFileSync(file, text)
  console.log(`wrote ${file}`)
}
