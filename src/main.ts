// `npm start`: reads the configuration, runs the exchange, says where it is, and stops it in order.

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { sandboxKeys } from './client/sandbox-keys.ts'
import {
  type AdminToken,
  type Config,
  ConfigError,
  isChosen,
  readConfig,
  withData,
  withSandboxToken,
} from './config.ts'
import { isLoopback } from './gateway/access/host-names.ts'
import { StoreFault } from './journal/store/store-fault.ts'
import { banner } from './main/banner.ts'
import { endWithInput } from './main/fixture/ends-with-input.ts'
import { makeFixtureFolder, removeOrphans } from './main/fixture/fixture-folder.ts'
import { fixtureLine } from './main/fixture/fixture-line.ts'
import { whyNotStarted } from './main/process/failed-start.ts'
import { inlineFurther, staySmall } from './main/process/inlining.ts'
import type { RunningExchange } from './main/run-options.ts'
import { fundAccounts } from './main/sandbox-funds.ts'
import { stopInOrder, stopMsMax } from './main/stopping/stop-in-order.ts'
import { adminScopes } from './protocol/admin/admin-row.ts'

/** Time after SIGTERM in which cancels are served: load balancers can notice that we are not ready,
 *  and traders can cancel their orders. Ctrl-C does not wait. */
const drainMs = 2_000

async function main(): Promise<void> {
  const started = performance.now()
  inlineFurther()
  const config = readyConfig(readConfig(process.argv.slice(2), process.env, process.cwd()))
  const log = pino({ level: config.logLevel }, pino.destination(2))
  if (config.fixture) staySmall()
  const made = config.adminTokens.length === 0 ? madeToken() : null
  let running: RunningExchange | null = null
  let stopping = false
  const stop = (why: string, waitMs: number, code = 0) => {
    if (stopping) return
    stopping = true
    log.info(why)
    const close = (onWait: (waitsFor: string) => void) => closeAfter(running, waitMs, onWait)
    stopInOrder({ close, code, log, exit: process.exit, msMax: stopMsMax })
  }
  const onFatal = (error: unknown) => {
    log.fatal({ err: error }, whyOver(error, config))
    process.exit(1)
  }
  const end = config.fixture ? endOfFixture(config, stop) : null
  process.once('SIGINT', end ?? (() => stop('stopping', 0)))
  process.once('SIGTERM', end ?? (() => stop('draining and stopping', drainMs)))
  if (end !== null) endWithInput(end)
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', onFatal)
  const tokens = made === null ? config.adminTokens : [made]
  // After the modules above: Node opens all files of a graph together, and the limit may be low.
  const { runExchange } = await import('./main/running-exchange.ts')
  // Exits with a different code than after a stop, so that the supervisor restarts it as a
  // follower.
  const onStepDown = () => stop('step-down requested: releasing the lease', drainMs, 1)
  running = await runExchange({ config, tokens, log, onFatal, onStepDown }).catch((error) => {
    throw new Error(whyNotStarted(error, config), { cause: error })
  })
  await say(config, running, made, performance.now() - started)
}

function whyOver(error: unknown, { role }: Config): string {
  if (!(error instanceof StoreFault)) return 'the exchange cannot go on'
  if (role === 'read') return `this node cannot follow any more, and ends: ${error.message}`
  return `this node no longer leads, and ends; started again, it follows: ${error.message}`
}

async function closeAfter(
  running: RunningExchange | null,
  waitMs: number,
  onWait: (waitsFor: string) => void,
): Promise<void> {
  if (running === null) return
  running.drain()
  await new Promise((done) => setTimeout(done, waitMs))
  await running.close(onWait)
}

/** A fixture ends without draining. Its temporary folder is removed, so that nothing in it has to
 *  be completed. */
function endOfFixture(config: Config, stop: (why: string, waitMs: number) => void): () => void {
  return isChosen(config, 'data') ? () => stop('stopping', 0) : () => process.exit(0)
}

const newToken = () => randomBytes(16).toString('base64url')

/** Other machines can reach this sandbox, so its sandbox routes require a token, shown at the
 *  start. */
function readyConfig(config: Config): Config {
  const { mode, host, sandboxToken, fixture } = config
  const isOpen = mode === 'sandbox' && !isLoopback(host) && sandboxToken === ''
  const guarded = isOpen ? withSandboxToken(config, newToken()) : config
  if (!fixture) return guarded
  removeOrphans()
  return isChosen(config, 'data') ? guarded : withData(guarded, makeFixtureFolder())
}

/** A sandbox without a configured token generates one and shows it. */
function madeToken(): AdminToken {
  const token = newToken()
  return { name: 'sandbox', token, scopes: adminScopes, weight: 1 }
}

async function say(
  config: Config,
  running: RunningExchange,
  made: AdminToken | null,
  readyMs: number,
): Promise<void> {
  const { exchange, port, adminPort, compatPort, recoveredSeq: seq } = running
  const isFork = exchange.settings.fork
  const traders = exchange.sandbox === null || isFork ? [] : sandboxKeys
  // The leader has done so.
  if (config.role === 'trade') await fundAccounts(config, exchange, seq === 0)
  if (config.fixture) return console.log(fixtureLine(config, running))
  const markets = [...exchange.view.symbols.keys()]
  const adminToken = made?.token ?? null
  const ports = { port, adminPort, compatPort }
  const venue = exchange.settings.venue.id
  console.log(
    banner({ config, ...ports, adminToken, markets, venue, traders, seq, readyMs, isFork }),
  )
}

main().catch((error: Error) => {
  console.error(`openperp: ${error.message}`)
  process.exit(error instanceof ConfigError ? 2 : 1)
})
