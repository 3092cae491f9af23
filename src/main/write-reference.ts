// `npm run docs`: writes the API reference and the page of the command line anew.

import { writeFileSync } from 'node:fs'
import { cliPage, cliPageFile } from './cli-page.ts'
import { reference, referenceFile } from './reference.ts'

for (const [file, text] of [
  [referenceFile, reference()],
  [cliPageFile, cliPage()],
] as const) {
  writeFileSync(file, text)
  console.log(`wrote ${file}`)
}
