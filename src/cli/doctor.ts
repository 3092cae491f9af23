// `openperp doctor`: whether this machine is fit to run the exchange with its settings. The checks
// are passed in, because the command line must not import the server.

import { type Command, command } from './frame/command.ts'
import type { Environment, Screen } from './frame/screen.ts'

export type Verdict = 'good' | 'warn' | 'bad'

/** A check: its subject, the actual value, and the required one. */
export type Finding = Readonly<{ what: string; is: string; must: string; verdict: Verdict }>

export type DoctorOptions = Readonly<{
  config: string | undefined
  data: string | undefined
  backups: string | undefined
  environment: Environment
}>

export type Examine = (options: DoctorOptions) => Promise<readonly Finding[]>

export function doctorCommand(examine: Examine): Command {
  return command({
    name: 'doctor',
    group: 'exchange',
    summary: 'Check whether this machine, its settings and its data are fit to run an exchange',
    about:
      'Run it as the user, and with the environment, that the exchange has. Each line says ' +
      'what was looked at, what it is and what it must be: settings, Node, data folder ' +
      '(permissions, file system, room, how long a sync takes), history (by the check of a ' +
      'start), clock, ports, descriptors, ' +
      'tokens, price sources, age of the newest backup; of a cluster also what `cluster doctor` ' +
      'looks up. Nothing is changed; the exchange may be running. The exit code is 1 when ' +
      'something is bad, and 0 with warnings.',
    options: {
      config: { value: '<file>', about: 'settings file; or OPENPERP_CONFIG' },
      data: { value: '<folder>', about: 'data folder (default: as configured)' },
      backups: { value: '<folder>', about: 'folder that `openperp backups` writes to' },
    },
    examples: [
      'openperp doctor --config venue.json --backups /mnt/backup',
      'openperp doctor --json',
    ],
    async run({ values: { config, data, backups }, environment, screen }) {
      const findings = await examine({ config, data, backups, environment })
      const isWell = findings.every(({ verdict }) => verdict !== 'bad')
      const verdict = isWell ? screen.paint('green', 'GOOD') : screen.paint('red', 'NOT GOOD')
      return {
        json: { findings, verdict: isWell ? 'good' : 'not good' },
        lines: [...findings.map((each) => lineOf(each, screen)), `verdict  ${verdict}`],
        end: isWell ? 'yes' : 'refused',
      }
    },
  })
}

const colours = { good: 'green', warn: 'yellow', bad: 'red' } as const

function lineOf({ what, is, must, verdict }: Finding, screen: Screen): string {
  const word = screen.paint(colours[verdict], verdict.padEnd(4))
  return `${word}  ${what}: ${is}${verdict === 'good' ? '' : `; must be ${must}`}`
}
