// `openperp start`: the same as `npm start`, with the same settings. The program is passed in,
// because the command line must not import the server.

import { type Command, command } from './frame/command.ts'

/** Runs the exchange with these flags until it is stopped. */
export type RunExchange = (flags: readonly string[]) => Promise<never>

export function startCommand(run: RunExchange): Command {
  return command({
    name: 'start',
    group: 'exchange',
    summary: 'Run an exchange on this machine (default: a sandbox)',
    about:
      'The same as `npm start`. Every setting is a flag: --port 9000, --admin-port 9001 (the ' +
      'admin plane), --compat-port 9002 (ccxt and other clients; or off), --data ./mine, --mode ' +
      'venue, --bots off, --seed 7, --log-level warn, --config file.json; ' +
      'docs/operating/running.md has all of them. Ctrl-C stops it; the next start continues ' +
      'where it was. --fixture starts a sandbox for one test run, which prints a line of JSON ' +
      'and ends with its input (docs/lab.md).',
    options: {},
    raw: true,
    examples: [
      'openperp start',
      'openperp start --port 9000 --data ./other --bots off',
      'openperp start --fixture',
    ],
    run: ({ words }) => run(words),
  })
}
