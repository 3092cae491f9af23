// `npm run docs`: writes the API reference, the pages of the admin plane and the command line, and
// the table of settings anew.

import { writeFileSync } from 'node:fs'
import { cliPage, cliPageFile } from './cli-page.ts'
import { adminPage, adminPageFile, reference, referenceFile } from './reference.ts'
import { settingsPage, settingsPageFile } from './settings-page.ts'

for (const [file, text] of [
  [referenceFile, reference()],
  [adminPageFile, adminPage()],
  [cliPageFile, cliPage()],
  [settingsPageFile, settingsPage()],
] as const) {
  writeFileSync(file, text)
  console.log(`wrote ${file}`)
}
