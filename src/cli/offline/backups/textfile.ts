// Metrics of the newest backup for the text file collector of node_exporter.

import type { Manifest } from './keep-backups.ts'

export const backupMetrics = {
  openperp_backup_last_success_timestamp_seconds: {
    help: 'When the newest proven backup was made',
    read: ({ madeAt }: Manifest) => Math.floor(Date.parse(madeAt) / 1_000),
  },
  openperp_backup_seq: { help: 'The entry that it reaches', read: ({ seq }: Manifest) => seq },
  openperp_backup_bytes: { help: 'How large it is', read: ({ bytes }: Manifest) => bytes },
  openperp_backup_seconds: {
    help: 'How long copying and proving took',
    read: ({ seconds }: Manifest) => seconds,
  },
} as const

export function backupText(manifest: Manifest): string {
  return Object.entries(backupMetrics)
    .map(([name, { help, read }]) => {
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${read(manifest)}\n`
    })
    .join('')
}
