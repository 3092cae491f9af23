// The checks of `openperp doctor`, in the order of its output.

import { resolve } from 'node:path'
import type { DoctorOptions, Finding } from '../../cli/doctor.ts'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { examinePostgres } from '../../journal/postgres/open-store.ts'
import { backupFinding, folderFindings } from './folder-checks.ts'
import {
  clockFinding,
  clockSynchronized,
  descriptorFinding,
  memoryFinding,
  nodeFinding,
} from './machine-checks.ts'
import { latencyFindings, priceTimeFinding } from './price-checks.ts'
import {
  configFileFinding,
  exposureFindings,
  portFindings,
  priceFinding,
  tokenFinding,
  treasuryFinding,
} from './settings-checks.ts'

export async function examine(options: DoctorOptions): Promise<readonly Finding[]> {
  const machine = [nodeFinding(), memoryFinding(), clockFinding(clockSynchronized())]
  const read = settingsOf(options)
  if ('finding' in read) return [...machine, read.finding]
  const { config } = read
  const file = options.config ?? options.environment.OPENPERP_CONFIG
  const found = [priceFinding(config), priceTimeFinding(config), treasuryFinding(config)]
  return [
    ...machine,
    { what: 'settings', is: `of a ${config.mode}`, must: 'readable', verdict: 'good' },
    ...(file === undefined ? [] : [configFileFinding(file)]),
    descriptorFinding(config),
    ...(await folderFindings({ ...config, data: resolve(config.data) })),
    tokenFinding(config),
    ...found.filter((each) => each !== null),
    ...(await latencyFindings(config)),
    ...exposureFindings(config),
    ...(await portFindings(config)),
    backupFinding(options.backups, Date.now()),
    ...(config.cluster === '' ? [] : await clusterFindings(config.cluster)),
  ]
}

function settingsOf({
  config,
  data,
  environment,
}: DoctorOptions): { config: Config } | { finding: Finding } {
  const flags = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(data === undefined ? [] : ['--data', data]),
  ]
  try {
    return { config: readConfig(flags, environment, process.cwd()) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const must = 'as docs/operating/running.md has them'
    return { finding: { what: 'settings', is: error.message, must, verdict: 'bad' } }
  }
}

/** Returns the findings that `openperp cluster doctor` collects. */
async function clusterFindings(cluster: string): Promise<readonly Finding[]> {
  try {
    const found = await examinePostgres(cluster)
    return found.map(({ machine, what, is, must, isGood }) => ({
      what: `cluster, ${machine ?? 'all'}: ${what}`,
      is: `${is}`,
      must: `${must}`,
      verdict: isGood ? 'good' : 'bad',
    }))
  } catch (error) {
    const is = (error as Error).message
    return [{ what: 'cluster', is, must: 'a database that answers', verdict: 'bad' }]
  }
}
