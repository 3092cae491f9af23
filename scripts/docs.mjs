// `npm run docs`: writes the generated pages again: the API reference, the pages of the admin plane
// and the command line, the tables of settings and metrics, and modules of the Python package.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ready } from './ready.mjs'

try {
  parseArgs({ options: {} })
} catch ({ message }) {
  console.error(`openperp: ${message}; npm run docs takes no options`)
  process.exit(2)
}
process.setSourceMapsEnabled(true)
ready()
const main = (module) => import(`../dist/src/main/${module}.js`)
const { adminPage, adminPageFile, reference, referenceFile } = await main('reference')
const { cliPage, cliPageFile } = await main('cli-page')
const { settingsPage, settingsPageFile } = await main('settings-page')
const { metricsPage, metricsPageFile } = await main('watching/metrics-page')
const { pythonFiles } = await main('python/python-files')

for (const [file, text] of [
  [referenceFile, reference()],
  [adminPageFile, adminPage()],
  [cliPageFile, cliPage()],
  [settingsPageFile, settingsPage()],
  [metricsPageFile, metricsPage()],
  ...pythonFiles(),
]) {
  writeFileSync(file, text)
  console.log(`wrote ${file}`)
}
