// Loaded into every process of an exchange before its own code: keeps the order of replies and
// frames, as that process wrote them to its sockets, in a file of the folder WRITE_LOG.

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { WriteLog } from './write-log.ts'

const everyMs = 100
const { WRITE_LOG: folder } = process.env
if (folder !== undefined && isMainThread) {
  const log = WriteLog.begin()
  const file = join(folder, `${process.pid}.json`)
  setInterval(() => {
    // Renamed, so that no reader finds a part of it.
    writeFileSync(`${file}.new`, JSON.stringify(log.ordersBeforeReplies()))
    renameSync(`${file}.new`, file)
  }, everyMs).unref()
}
