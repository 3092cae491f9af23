// Settings of the links between nodes in tests.

const key = 'k'.repeat(40)

/** Of a trading node that these read nodes may follow. */
export function tradesFor(...readers: readonly string[]): readonly string[] {
  const keys = readers.map((name) => `${name}:${key}`).join(',')
  return ['--cluster-key', 't'.repeat(40), '--reader-keys', keys, '--link-port', '0']
}

/** Of a read node. */
export const asReader: readonly string[] = ['--role', 'read', '--reader-key', key]
