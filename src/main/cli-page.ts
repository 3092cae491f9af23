// Generates docs/operating/cli.md from the commands, so that the page and --help always agree.

import { fileURLToPath } from 'node:url'
import { type Group, groups } from '../cli/frame/command.ts'
import { commandHelp, titles, wholeHelp } from '../cli/frame/help.ts'
import { allCommands } from './command-line.ts'

export const cliPageFile = fileURLToPath(new URL('../../../docs/operating/cli.md', import.meta.url))

const opening = `# The command line

Made by \`npm run docs\` from the commands themselves; do not edit it by hand.

\`npx openperp <command>\`, also in a clone, where it installs and builds when needed, as
\`npm start\` does. An installed package never does. Results go
to standard output, progress and remarks to standard error; colours and redrawing only on a
terminal, and no colour where \`NO_COLOR\` is set. With \`--json\` every command prints JSON and
nothing else on standard output; an error is
\`{"error": {"kind", "exit", "message", "hint"?, …}}\`.

**Keys** come from \`--key\`, then \`OPENPERP_KEY\`, then the key file. A key file that others may
read is refused. No command prints a secret but \`key show --secret\`. For a sandbox that other
machines can reach, \`OPENPERP_SANDBOX_TOKEN\` has the token that its start printed. A key belongs
to the first exchange that it signs for ([why](../api/signing.md#venue)); a file in
\`~/.openperp/venues\` keeps it. \`--venue\`, then \`OPENPERP_VENUE\`, name another one, and
\`key unpin\` lets the key belong to the next.
`

export function cliPage(): string {
  return [opening, fenced(wholeHelp(allCommands)), ...groups.map(chapter)].join('\n')
}

function chapter(group: Group): string {
  const members = allCommands.filter((each) => each.group === group)
  const all = members.flatMap((each) => [each, ...(each.briefly ? [] : (each.parts ?? []))])
  const sections = all.map((command) => `### ${command.name}\n\n${fenced(commandHelp(command))}`)
  return `## ${titles[group]}\n\n${sections.join('\n')}`
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\`\n`
}
