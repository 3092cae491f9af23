// Metrics of the newest backup for the text file collector of node_exporter.

import type { Manifest } from './keep-backups.ts'

export const backupMetrics = {
  openperp_backup_last_success_timestamp_seconds: {
    help: 'Time of the newest verified backup',
    read: ({ madeAt }: Manifest) => Math.floor(Date.parse(madeAt) / 1_000),
  },
  openperp_backup_seq: {
    help: 'Last journal entry in the newest backup',
    read: ({ seq }: Manifest) => seq,
  },
  openperp_backup_bytes: {
    help: 'Size of the newest backup',
    read: ({ bytes }: Manifest) => bytes,
  },
  openperp_backup_seconds: {
    help: 'Time that copying and verifying the newest backup took',
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
