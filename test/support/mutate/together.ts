// Runs several programs of tests in one process: most of what a short one costs is its start.

import { pathToFileURL } from 'node:url'

for (const program of process.argv.slice(2)) await import(pathToFileURL(program).href)
