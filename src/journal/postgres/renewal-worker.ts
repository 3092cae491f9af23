// The renewal thread: takes the lease when the trading thread requests it, renews it from then on,
// and releases it. It has its own connections. If the trading thread does not react to the end of
// the lease, it hangs, and this thread ends the process, so that its supervisor restarts it.

import { writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { workerData } from 'node:worker_threads'
import { LeaseMemory } from '../store/lease-memory.ts'
import { machineMs } from '../store/machine-clock.ts'
import { progressMsMax, Renewal } from '../store/renewal.ts'
import { asStoreFault, type StoreFault } from '../store/store-fault.ts'
import { PostgresLease } from './postgres-lease.ts'
import type { FaultSent, FromThread, RenewalStart, ToThread } from './renewal-thread.ts'

/** Time in ms that the trading thread has to react to the end of the lease. */
const reactMsMax = 5_000
const standardError = 2

const { buffer, port, ...options } = workerData as RenewalStart
const memory = new LeaseMemory(buffer)
const send = (message: FromThread) => port.postMessage(message)
const sent = ({ code, message }: StoreFault): FaultSent => ({ code, message })
const opening = PostgresLease.open({ ...options, now: machineMs })
// Each request reports the error.
opening.catch(() => undefined)
let renewal: Renewal | null = null

/** The trading thread cannot log, and neither can the streams of this thread, which it serves. */
function logFatal(msg: string): void {
  const { pid } = process
  const line = { level: 60, time: Date.now(), pid, hostname: hostname(), msg }
  writeSync(standardError, `${JSON.stringify(line)}\n`)
}

function ended(fault: StoreFault): void {
  send({ kind: 'ended', fault: sent(fault) })
  setTimeout(() => {
    logFatal(`this node no longer leads, and its trading thread hangs; killed: ${fault.message}`)
    process.kill(process.pid, 'SIGKILL')
  }, reactMsMax)
}

function renewWith(lease: PostgresLease, sentAt: number): void {
  const parts = {
    renew: () => lease.renew(),
    check: () => lease.check(),
    memory,
    leaseMs: options.leaseMs,
    now: machineMs,
    onStepDown: () => send({ kind: 'stepDown' }),
    onHang: () =>
      logFatal(`the trading thread made no progress for ${progressMsMax} ms: no more renewals`),
    onEnd: ended,
  }
  renewal = new Renewal(parts, sentAt)
}

async function carryOut(message: ToThread): Promise<FromThread> {
  const lease = await opening
  if (message.kind === 'open') return { kind: 'done', sentAt: null }
  if (message.kind === 'resign') {
    renewal?.stop()
    await lease.resign()
    return { kind: 'done', sentAt: null }
  }
  const sentAt = await lease.take(message.taking)
  if (sentAt !== null) renewWith(lease, sentAt)
  return { kind: 'done', sentAt }
}

port.on('message', (message: ToThread) => {
  carryOut(message).then(send, (error) =>
    send({ kind: 'failed', fault: sent(asStoreFault(error)) }),
  )
})
