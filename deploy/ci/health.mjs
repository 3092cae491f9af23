// The health check of the image: asks the exchange of this container on its own port, which is in
// its flags or its environment.
import { readFileSync } from 'node:fs'

const flags = readFileSync(process.env.HEALTH_CMDLINE ?? '/proc/1/cmdline', 'utf8')
const [, port = process.env.OPENPERP_PORT || '8080'] = /\0--port[=\0](\d+)/.exec(flags) ?? []
try {
  const { status } = await fetch(`http://127.0.0.1:${port}/health`)
  process.exitCode = status === 200 ? 0 : 1
} catch (error) {
  console.error(`no answer on port ${port}: ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}
