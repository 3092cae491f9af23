// `npm run docs`: writes the API reference anew.

import { writeFileSync } from 'node:fs'
import { reference, referenceFile } from './reference.ts'

writeFileSync(referenceFile, reference())
console.log(`wrote ${referenceFile}`)
