// Which exchange a key signs for. The first exchange that a key is used with becomes its venue, and
// every text of that key names it, so that the text has no effect elsewhere. Another exchange at
// the same address is an error before anything is signed, unless both are sandboxes.

import { isVenueId } from '../../units/venue-id.ts'
import { ApiRefusal, UnexpectedReply, VenueMismatch } from '../errors.ts'

/** What an exchange says of itself. */
export type VenuePin = Readonly<{
  /** Its id. */
  venue: string
  /** Whether it is a sandbox. */
  sandbox: boolean
}>

type KeptPin = VenuePin | null | undefined

/** Keeps the venue of each key, by the key's address. */
export type VenuePins = Readonly<{
  /** Returns the venue of a key, by its address; `null` or `undefined`: it has none yet. */
  get(address: string): KeptPin | Promise<KeptPin>
  /** Keeps the venue of a key. */
  set(address: string, pin: VenuePin): void | Promise<void>
}>

/** A key of a sandbox was used with another sandbox, and belongs to that one now. */
export type VenueReplaced = Readonly<{
  /** Address of the key. */
  address: string
  /** Id of the sandbox that it belonged to. */
  before: string
  /** Id of the sandbox that it belongs to now. */
  now: string
}>

export type VenueOptions = Readonly<{
  /** Id of the venue that texts are for; null: texts name no venue (default: the venue that the key
   *  was first used with). */
  venue?: string | null | undefined
  /** Where the venue of each key is kept (default: as long as the client). */
  venues?: VenuePins | undefined
  /** Called when a key of a sandbox was used with another sandbox, and belongs to that one now. */
  onVenueReplaced?: ((change: VenueReplaced) => void) | undefined
}>

type Parts = VenueOptions &
  Readonly<{
    /** Address of the exchange, for messages. */
    url(): string
    /** The reply of `GET /info/venue`. */
    ask(): Promise<unknown>
  }>

/** How long a cancel of a key with a venue waits for the exchange to name itself. */
const cancelWaitMs = 200

export class VenueGuard {
  private readonly parts: Parts
  private readonly pins: VenuePins
  private served: Promise<VenuePin | null> | null = null
  /** From the question to when cancels wait for its answer no longer. */
  private patience: Promise<void> = Promise.resolve()
  /** The exchange has said that it is another one, and has not said since which one. */
  private wasOther = false
  private readonly checked = new Map<string, Promise<string | undefined>>()

  constructor(parts: Parts) {
    const { venue } = parts
    if (venue != null && !isVenueId(venue))
      throw new Error('venue must be a venue id (32 lower-case hexadecimal digits) or null')
    this.parts = parts
    const kept = new Map<string, VenuePin>()
    const inMemory: VenuePins = {
      get: (address) => kept.get(address) ?? null,
      set: (address, pin) => void kept.set(address, pin),
    }
    this.pins = parts.venues ?? inMemory
  }

  /** The exchange reported another venue id: it is requested again before the next text. */
  reset(): void {
    this.wasOther = true
    this.served = null
    this.checked.clear()
  }

  /** What a text of this key names; undefined: no venue. `takesAway`: the text cancels or revokes,
   *  and goes out whatever keeps the exchange from saying which one it is. */
  async venueFor(address: string, takesAway: boolean): Promise<string | undefined> {
    if (this.parts.venue === null) return undefined
    const pin = await this.pinOf(address)
    try {
      const agreed = this.agreed(address, pin)
      if (!takesAway || pin === null || this.wasOther) return await agreed
      // The text names the venue of the key, so any other exchange rejects it.
      return await Promise.race([agreed, this.patience.then(() => pin.venue)])
    } catch (error) {
      if (error instanceof VenueMismatch) throw error
      if (pin !== null) return pin.venue
      if (takesAway) return undefined
      throw error
    }
  }

  /** Asks the exchange once, and again after a failure. */
  private agreed(address: string, pin: VenuePin | null): Promise<string | undefined> {
    const known = this.checked.get(address)
    if (known !== undefined) return known
    const checking = this.check(address, pin)
    this.checked.set(address, checking)
    checking.catch(() => {
      if (this.checked.get(address) === checking) this.checked.delete(address)
    })
    return checking
  }

  private async pinOf(address: string): Promise<VenuePin | null> {
    const { venue } = this.parts
    if (venue != null) return { venue, sandbox: false }
    return (await this.pins.get(address)) ?? null
  }

  private async check(address: string, pin: VenuePin | null): Promise<string | undefined> {
    const served = await this.serves()
    if (pin === null && served === null) return undefined
    if (pin === null || served === null || pin.venue !== served.venue)
      return this.changed(address, pin, served)
    return pin.venue
  }

  private async changed(address: string, pin: VenuePin | null, served: VenuePin | null) {
    if (pin !== null && !(pin.sandbox && served?.sandbox === true))
      throw new VenueMismatch(this.parts.url(), {
        address,
        expected: pin.venue,
        found: served?.venue ?? null,
      })
    await this.pins.set(address, served!)
    if (pin !== null)
      this.parts.onVenueReplaced?.({ address, before: pin.venue, now: served!.venue })
    return served!.venue
  }

  /** What the exchange is; null: it does not know venues. */
  private serves(): Promise<VenuePin | null> {
    const asking = this.served ?? this.ask()
    this.served = asking
    asking.catch(() => {
      if (this.served === asking) this.served = null
    })
    return asking
  }

  private said(served: VenuePin | null): VenuePin | null {
    this.wasOther = false
    return served
  }

  private async ask(): Promise<VenuePin | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    this.patience = new Promise((resolve) => {
      timer = setTimeout(resolve, cancelWaitMs)
    })
    try {
      const { venue, sandbox } = ((await this.parts.ask()) ?? {}) as Record<string, unknown>
      if (isVenueId(venue)) return this.said({ venue, sandbox: sandbox === true })
    } catch (error) {
      const isAnswer = error instanceof ApiRefusal || error instanceof UnexpectedReply
      if (isAnswer && error.status === 404) return this.said(null)
      throw error
    } finally {
      clearTimeout(timer)
    }
    throw new UnexpectedReply(`${this.parts.url()} does not say which exchange it is`, 200)
  }
}
