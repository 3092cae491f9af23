// Fills an empty data folder with a copy from a node, over the link between nodes.

import type { NodeSeen } from '../../journal/store/node-news.ts'
import { FolderNotEmpty, fetchFolder, requireEmpty } from '../../sequencer/cluster/fetch-folder.ts'
import { dialNode, linkKeyOf } from '../../sequencer/link/node-link.ts'
import { CliError } from '../frame/exit-codes.ts'

export type Joined = Readonly<{ seq: number; from: string }>

/** Name and key of the joining node, as its settings will have them. */
export type Joining = Readonly<{ node: string; secret: string }>

/** Timeout in ms without data. A large exchange sends its first byte after its snapshot is
 *  complete. */
const idleMsMax = 120_000

/** Copies the folder from the first node that provides a complete copy. */
export async function joinFrom(
  nodes: readonly Pick<NodeSeen, 'name' | 'link'>[],
  { node, secret }: Joining,
  folder: string,
  idleMs = idleMsMax,
): Promise<Joined> {
  const whyNot: string[] = []
  try {
    requireEmpty(folder)
    for (const { name, link } of nodes) {
      try {
        const stream = await dialNode(link, { node, wish: 'join' }, linkKeyOf(secret))
        const late = () => stream.destroy(new Error(`nothing more came for ${idleMs} ms`))
        stream.setTimeout(idleMs, late)
        return { seq: await fetchFolder(stream, folder), from: name }
      } catch (error) {
        if (error instanceof FolderNotEmpty) throw error
        whyNot.push(`${name} at ${link}: ${(error as Error).message}`)
      }
    }
  } catch (error) {
    if (!(error instanceof FolderNotEmpty)) throw error
    throw new CliError('refused', error.message, { hint: 'name an empty folder with --data' })
  }
  throw new CliError('unreachable', `no node gave a copy: ${whyNot.join('; ')}`, {
    hint:
      'is OPENPERP_CLUSTER_KEY the one that they have (for a read node: do they have ' +
      'OPENPERP_READER_KEY for this OPENPERP_NODE), and is their link open to this machine?',
  })
}
