// deploy/'s nodes and proxy on one machine: the commands of the units and the Caddyfile as it is,
// with the environment files that an operator fills in.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filledIn, type Values } from './env-file.ts'
import { Supervised } from './supervised.ts'

export const program = fileURLToPath(new URL('../../../src/main/openperp.js', import.meta.url))
export const operatorToken = 'operator-token-of-a-trial'
export const priceTokens = ['price-token-one-of-a-trial', 'price-token-two-of-a-trial'] as const

const [priceOne, priceTwo] = priceTokens
const tokens =
  `operator:${operatorToken}:read+markets+accounts+money+operate,` +
  `price-one:${priceOne}:prices,price-two:${priceTwo}:prices`

const readerKey = 'key-of-a-reader-of-a-trial-that-is-long-enough'

export type NodePlaces = Readonly<{
  cluster: string
  folder: string
  /** OPENPERP_CLUSTER. */
  url: string
}>

export type NodePorts = Readonly<{ port: number; adminPort: number; linkPort: number }>
export type NodeRole = 'trade' | 'read'

export class LoopbackNode {
  readonly name: string
  readonly ports: NodePorts
  private readonly places: NodePlaces
  readonly role: NodeRole
  private program: Supervised | null = null

  constructor(name: string, role: NodeRole, ports: NodePorts, places: NodePlaces) {
    this.name = name
    this.role = role
    this.ports = ports
    this.places = places
  }

  start(): void {
    const { folder } = this.places
    this.program = new Supervised({
      command: [process.execPath, program, 'start'],
      environment: this.environment(),
      folder,
      log: join(folder, `${this.name}.log`),
      user: null,
    })
  }

  /** It is started again immediately, and comes back as a follower. */
  crash(): void {
    this.program?.crash()
  }

  async stop(): Promise<void> {
    await this.program?.stop()
  }

  private environment(): Values {
    const { cluster, folder, url } = this.places
    const { port, adminPort, linkPort } = this.ports
    const here = '127.0.0.1'
    return {
      ...filledIn(join(cluster, 'env/cluster.env'), {
        OPENPERP_TRUSTED_PROXIES: here,
        // Ten servers share this machine with other programs.
        OPENPERP_LEASE_MS: '2000',
      }),
      ...filledIn(join(cluster, `env/${this.role}.env`), {
        OPENPERP_HOST: here,
        OPENPERP_PORT: String(port),
        OPENPERP_ADMIN_HOST: here,
        OPENPERP_ADMIN_PORT: String(adminPort),
        OPENPERP_COMPAT_PORT: 'off',
        OPENPERP_CLUSTER: url,
        ...(this.role === 'read'
          ? { OPENPERP_READER_KEY: readerKey }
          : {
              OPENPERP_CLUSTER_KEY: 'key-of-a-trial-that-is-long-enough-for-it',
              OPENPERP_READER_KEYS: `read-one:${readerKey}`,
              OPENPERP_ADMIN_TOKENS: tokens,
              OPENPERP_ALLOWED_HOSTS: 'localhost',
              OPENPERP_LINK_HOST: here,
              OPENPERP_LINK_PORT: String(linkPort),
            }),
      }),
      OPENPERP_NODE: this.name,
      OPENPERP_DATA: join(folder, this.name),
      // One client sends more here than a venue lets anybody.
      OPENPERP_CREDITS: '1000000',
    }
  }
}

export type ProxyPorts = Readonly<{ http: number; https: number; admin: number; control: number }>

export class LoopbackProxy {
  readonly ports: ProxyPorts
  private readonly folder: string
  private readonly proxy: Supervised

  constructor(places: NodePlaces, ports: ProxyPorts, nodes: readonly LoopbackNode[]) {
    const { cluster, folder } = places
    this.ports = ports
    this.folder = folder
    const at = (list: readonly number[]) => list.map((port) => `127.0.0.1:${port}`).join(' ')
    const values = filledIn(join(cluster, 'env/caddy.env'), {
      SITE: `https://localhost:${ports.https}`,
      SITE_TLS: 'internal',
      NODES: at(nodes.map((node) => node.ports.port)),
      ADMIN_SITE: `https://localhost:${ports.admin}`,
      ADMIN_BIND: '127.0.0.1',
      ADMIN_NODES: at(
        nodes.flatMap(({ role, ports: { adminPort } }) => (role === 'trade' ? [adminPort] : [])),
      ),
    })
    const moved = {
      CADDY_ADMIN: `localhost:${ports.control}`,
      HTTP_PORT: String(ports.http),
      HTTPS_PORT: String(ports.https),
      // Its own CA is not put among those that this machine believes.
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'caddy-data'),
      XDG_CONFIG_HOME: join(folder, 'caddy-config'),
    }
    this.proxy = new Supervised({
      command: ['caddy', 'run', '--config', join(cluster, 'Caddyfile'), '--adapter', 'caddyfile'],
      environment: { ...values, ...moved },
      folder,
      log: join(folder, 'caddy.log'),
      user: null,
    })
  }

  /** The certificate of its own CA; null: not made yet. */
  certificate(): string | null {
    const path = join(this.folder, 'caddy-data/caddy/pki/authorities/local/root.crt')
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  async stop(): Promise<void> {
    await this.proxy.stop()
  }
}
