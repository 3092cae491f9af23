// The operators' console: the operator, the page, and the pending action. It uses neither document
// nor window, so that it also runs in tests.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { AdminName, AdminReply, AdminRequest } from '../../../protocol/admin/admin-api.ts'
import type { AdminScope } from '../../../protocol/admin/admin-row.ts'
import { Notices } from '../../model/notices.ts'
import type { Action } from './action.ts'
import { AdminPlane, type Body, PlaneError, type Query } from './admin-plane.ts'
import type { Holder } from './admin-rows.ts'
import { type Operation, type Operations, operationsIn } from './operations.ts'

/** Fragment of the address: a page, and the object that it shows. */
export type Place = Readonly<{ page: string; of: string }>

export class Console {
  /** Operator of the token; `null` until a token is entered. */
  readonly holder: ReadonlySignal<Holder | null>
  readonly place: Signal<Place> = signal({ page: 'overview', of: '' })
  /** The action whose dialog is open. */
  readonly pending: Signal<Action | null> = signal(null)
  readonly theme: Signal<'dark' | 'light'> = signal('dark')
  /** Number of completed actions. Each one causes all shown data to be read again. */
  readonly done: Signal<number> = signal(0)
  readonly notices: Notices
  private readonly plane: AdminPlane
  private readonly known: Signal<Holder | null> = signal(null)
  private operations: Operations = new Map()

  constructor(url: string, later: (work: () => void, ms: number) => void) {
    this.plane = new AdminPlane(url)
    this.notices = new Notices(later)
    this.holder = this.known
  }

  /** Signs in; throws if the token is unknown. */
  async enter(token: string): Promise<void> {
    this.plane.hold(token)
    try {
      this.operations = operationsIn(await this.plane.document())
      this.known.value = await this.plane.get<Holder>('/token')
    } catch (error) {
      this.plane.hold(null)
      throw error
    }
  }

  leave(): void {
    this.plane.hold(null)
    this.known.value = null
    this.pending.value = null
  }

  goTo(hash: string): void {
    const [page = '', of = ''] = hash.replace(/^#\/?/, '').split('/')
    this.pending.value = null
    this.place.value = { page: page === '' ? 'overview' : page, of: decodeURIComponent(of) }
  }

  has(scope: AdminScope | null): boolean {
    return scope === null || (this.known.value?.scopes.includes(scope) ?? false)
  }

  /** Description of an operation; undefined if this exchange does not serve it. */
  operation(name: string): Operation | undefined {
    return this.operations.get(name)
  }

  async read<N extends AdminName>(name: N, query: AdminRequest<N>): Promise<AdminReply<N>> {
    try {
      return await this.plane.get(this.operations.get(name)!.path, query as Query)
    } catch (error) {
      this.leaveIfUnknown(error)
      throw error
    }
  }

  /** Calls a read-only operation, such as a preview. */
  look<N extends AdminName>(name: N, body: AdminRequest<N>): Promise<AdminReply<N>> {
    return this.plane.post(this.operations.get(name)!.path, body as Body)
  }

  /** Executes an action; throws the exchange's error. */
  async act(action: Action, body: Body, reason: string): Promise<void> {
    const { path } = this.operations.get(action.operation)!
    try {
      const reply = await this.plane.post<Readonly<Record<string, unknown>>>(path, {
        ...{ ...body, reason },
      })
      this.notifyDone(action, reply)
    } catch (error) {
      this.leaveIfUnknown(error)
      throw error
    } finally {
      this.done.value++
    }
  }

  private notifyDone({ title }: Action, reply: Readonly<Record<string, unknown>>): void {
    const facts = Object.entries(reply ?? {}).map(([name, value]) => `${name} ${factOf(value)}`)
    this.notices.show({
      ...{ kind: 'good', title, text: `Done: ${facts.join(', ')}` },
      link: { label: 'Journal', open: () => this.goTo('#journal') },
    })
  }

  /** Signs out if the token is unknown, because the exchange was restarted with other tokens. */
  private leaveIfUnknown(error: unknown): void {
    if (error instanceof PlaneError && error.status === 401) this.leave()
  }
}

const factOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value)
