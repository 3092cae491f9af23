// The settings of a node in a cluster.

import { hostname } from 'node:os'
import { Type } from '../protocol/schemas/typebox.ts'
import { oneOf, portMax, text, whole } from './setting-types.ts'

const linkKeyMin = 32
const linkKey = `[!-+\\--9;-~]{${linkKeyMin},256}`
const linkKeyWords = `${linkKeyMin} to 256 letters, digits and signs, without commas and colons`

const hostNamed = (name: string) => name.replace(/[^\w.-]/g, '-').slice(0, 64) || 'node'

export const clusterSettings = {
  cluster: Type.String({
    default: '',
    defaultShown: 'none',
    secret: true,
    wanted: 'postgres://user:password@host,host,host/database',
    pattern: '^(?:postgres(?:ql)?://.+)?$',
    description:
      'PostgreSQL database with the journal of a [cluster](cluster.md). Without it the ' +
      'journal is in the data folder only',
  }),
  role: oneOf(['trade', 'read'], {
    default: 'trade',
    description:
      'role of this node in a cluster. `trade`: a trading node, which leads or stands ' +
      'by. `read`: a read node, which serves reads from its replica and forwards writes ' +
      'to the leader',
  }),
  clusterKey: Type.String({
    default: '',
    defaultShown: 'none',
    secret: true,
    pattern: `^(?:${linkKey}(?:,${linkKey})*)?$`,
    wanted: `${linkKeyWords}; several with commas`,
    description:
      'key with which trading nodes copy folders from each other. To change it, set ' +
      'several, separated by commas: all are accepted, and the first one is used',
  }),
  readerKeys: Type.String({
    default: '',
    defaultShown: 'none',
    secret: true,
    pattern: `^(?:[\\w.-]{1,64}:${linkKey}(?:,[\\w.-]{1,64}:${linkKey})*)?$`,
    wanted: `\`node:key\`, separated by commas; a key has ${linkKeyWords}`,
    description:
      'keys of the read nodes that may follow this node while it leads, as `node:key,…`. ' +
      'Without keys no read node can follow. A node may occur twice while its key is ' +
      'changed',
  }),
  readerKey: Type.String({
    default: '',
    defaultShown: 'none',
    secret: true,
    pattern: `^(?:${linkKey})?$`,
    wanted: linkKeyWords,
    description: 'key of this read node, as in `readerKeys` of the trading nodes',
  }),
  linkHost: text({
    default: '127.0.0.1',
    description: 'address at which a trading node listens for other nodes of a cluster',
  }),
  linkPort: whole(0, portMax, {
    default: 8790,
    description: 'port at which a trading node listens for other nodes; 0 for a free one',
  }),
  node: Type.String({
    pattern: '^[\\w.-]{1,64}$',
    default: hostNamed(hostname()),
    defaultShown: 'host name',
    wanted: '1 to 64 letters, digits, dots, dashes and underscores',
    description: 'name of this node in a cluster',
  }),
  leaseMs: whole(200, 60_000, {
    default: 3_000,
    description:
      'duration of the lease in milliseconds. A leader that has not renewed its lease ' +
      'for this time loses the lead. 1000 is enough on machines without other work',
  }),
}
