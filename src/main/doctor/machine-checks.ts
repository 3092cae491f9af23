// Checks of the machine: Node, memory, clock, descriptors.

import { spawnSync } from 'node:child_process'
import { totalmem } from 'node:os'
import type { Finding } from '../../cli/doctor.ts'
import type { Config } from '../../config.ts'
import { descriptors, fileReserve } from '../front/descriptors.ts'

const nodeMin = [20, 19] as const
const memoryMin = 1_000_000_000
const mb = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

export function nodeFinding(version: string = process.versions.node): Finding {
  const [major, minor] = version.split('.').map((text) => Number.parseInt(text, 10))
  const isNew = major! > nodeMin[0] || (major === nodeMin[0] && minor! >= nodeMin[1])
  const must = `${nodeMin.join('.')} or newer`
  return { what: 'Node', is: version, must, verdict: isNew ? 'good' : 'bad' }
}

export function memoryFinding(bytes: number = totalmem()): Finding {
  const verdict = bytes >= memoryMin ? 'good' : 'warn'
  return { what: 'memory', is: mb(bytes), must: `${mb(memoryMin)} or more`, verdict }
}

/** Whether the system clock is synchronized; `null` if the system does not report it. */
export function clockSynchronized(): boolean | null {
  const ran = spawnSync('timedatectl', ['show', '-p', 'NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: 5_000,
  })
  const said = ran.status === 0 ? ran.stdout.trim() : ''
  return said === 'yes' ? true : said === 'no' ? false : null
}

export function clockFinding(synchronized: boolean | null): Finding {
  const must = 'synchronized (NTP): orders and signatures go by it'
  const what = 'clock'
  if (synchronized === null)
    return { what, must, is: 'nothing here says whether it is synchronized', verdict: 'warn' }
  const is = synchronized ? 'synchronized' : 'not synchronized'
  return { what, must, is, verdict: synchronized ? 'good' : 'bad' }
}

export function descriptorFinding({ connections }: Config, limit = descriptors().limit): Finding {
  const needed = connections + fileReserve + 64
  return {
    what: 'descriptors',
    is: Number.isFinite(limit) ? `${limit}` : 'without a limit',
    must: `${needed} for ${connections} connections (LimitNOFILE, ulimit -n), or fewer are taken`,
    verdict: limit >= needed ? 'good' : 'warn',
  }
}
