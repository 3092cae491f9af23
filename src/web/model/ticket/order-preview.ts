// The exchange's preview of a request before it is sent. Acceptance is checked for the request
// itself. Figures are those of the order that it is or would place, in its full size.

import type { Preview, PreviewRequest } from '../wire.ts'
import { sentence } from '../words/sentence.ts'
import { outlineOf, type Request, type ScaleBody } from './order-request.ts'
import type { NamedRung } from './refusal-field.ts'

/** Reason why the order would be refused, or cancelled immediately. */
export type Objection = Readonly<{
  code: number
  message: string
  /** Index of the order of a scale. */
  rung?: NamedRung
}>

export type OrderPreview = Readonly<{
  /** `null` if there is no answer. */
  figures: Preview | null
  /** `null` if there is no objection. */
  objection: Objection | null
  /** Whether the exchange has checked the request. It has no preview of a TWAP. */
  checked: boolean
  /** Why the execution would not be covered now, although the order is accepted; `null` if it would
   *  be. */
  caution: string | null
}>

export type PreviewContext = Readonly<{
  account: string
  /** Mark price, on the grid. */
  mark: string
  ask: (request: PreviewRequest) => Promise<Preview>
}>

const tooHigh = 8
/** Codes of insufficient margin or open interest, and of orders that are too large. */
const uncovered: ReadonlySet<number> = new Set([5, tooHigh, 28, 41])

export async function previewOrder(
  request: Request,
  { account, mark, ask }: PreviewContext,
): Promise<OrderPreview> {
  const answerTo = (query: PreviewRequest) => ask(query).catch(() => null)
  const answers = verdictsOf(request, account).map(answerTo)
  const figures = await answerTo(figuresOf(request, account, mark))
  const verdicts = await Promise.all(answers)
  const { kind } = request
  const own = figures === null ? null : objectionOf(figures)
  if (kind === 'limit' || kind === 'market')
    return { figures, objection: own, checked: figures !== null, caution: null }
  const checked = verdicts.length > 0 && !verdicts.includes(null)
  if (kind === 'scale') {
    const objection = ofRungs(request.body, verdicts) ?? (own !== null && isOfSum(own) ? own : null)
    return { figures, objection, checked: checked && figures !== null, caution: null }
  }
  const verdict = verdicts[0] == null ? null : objectionOf(verdicts[0])
  const objection = kind === 'twap' ? ([verdict, own].find(isOfAnyTaker) ?? null) : verdict
  const short = objection === null && own !== null && uncovered.has(own.code)
  const said = short ? shortText(own, kind) : null
  return { figures, objection, checked, caution: said }
}

/** Whether a refusal of the corresponding market order also applies to a TWAP: refusals by the
 *  key's policy, and invalid sizes or slippages. Slices are checked when they are due. */
const isOfAnyTaker = (said: Objection | null) =>
  said !== null && /^(AGENT_LIMIT|AGENT_NOT_ALLOWED|INVALID_AMOUNT): /.test(said.message)

function shortText({ code, message }: Objection, kind: Request['kind']): string {
  if (kind === 'twap' && code === tooHigh)
    return `Too large as one order; each slice is checked by itself. ${sentence(message)}`
  const accepted = kind === 'twap' ? 'Not' : 'Accepted, but not'
  return `${accepted} covered as things are. ${sentence(message)}`
}

function objectionOf({ accepted, code, error, rejected }: Preview): Objection | null {
  if (!accepted) return { code: code ?? 0, message: error ?? '' }
  return rejected === undefined ? null : { code: 0, message: rejected }
}

/** Indexes of orders that represent a whole scale: those with the best and worst price, the
 *  smallest and largest size, and the smallest and largest value. Sizes may grow while prices fall.
 *  If none of these is refused, no other order is. */
function checkedOf({ orders }: ScaleBody): readonly number[] {
  const values = orders.map(({ price, amount }) => Number(price) * Number(amount))
  const least = values.indexOf(Math.min(...values))
  const greatest = values.indexOf(Math.max(...values))
  return [...new Set([0, least, greatest, orders.length - 1])].toSorted((one, next) => one - next)
}

function ofRungs(body: ScaleBody, verdicts: readonly (Preview | null)[]): Objection | null {
  const { orders } = body
  for (const [nth, at] of checkedOf(body).entries()) {
    const preview = verdicts[nth] ?? null
    const objection = preview === null ? null : objectionOf(preview)
    if (objection === null) continue
    const { price, amount } = orders[at]!
    return { ...objection, rung: { at, of: orders.length, price, amount } }
  }
  return null
}

/** Whether a refusal concerns a limit of single orders, which does not apply to their sum. */
const isOfSum = ({ code, message }: Objection) =>
  code !== 8 && !/\brule 5 of this agent's policy/.test(message)

/** Previews that determine acceptance. For other kinds the preview of the figures determines it. */
function verdictsOf({ kind, body }: Request, account: string): readonly PreviewRequest[] {
  switch (kind) {
    case 'stop':
    case 'oco':
    case 'iceberg':
      return [{ account, ...body }]
    case 'chase':
      return [{ account, ...body, chase: true }]
    case 'scale':
      return checkedOf(body).map((at) => ({ account, ...body.orders[at]! }))
    case 'twap': {
      const { symbol, side, amount, reduce_only, slippage_percent } = body
      return [{ account, symbol, side, amount, reduce_only, slippage_percent }]
    }
    default:
      return []
  }
}

/** Maximum slippage of a stop, because its default may not reach the current book. */
const stopSlippageMax = '10'

/**
 * The order whose figures are shown:
 * - Stop: the order that it would place now.
 * - TWAP: its whole size at the mark, because the book need not be deep enough for all of it.
 * - OCO: the resting order.
 * - Scale: one order at its average price.
 * - Iceberg: its whole size.
 * - Chase: an order at its limit, or the nearest price at which it would rest.
 */
export function figuresOf(request: Request, account: string, mark: string): PreviewRequest {
  const common = { account, ...outlineOf(request) }
  const { kind, body } = request
  switch (kind) {
    case 'limit':
    case 'market':
      return { account, ...body }
    case 'twap':
      return { ...common, price: mark, tif: 'GTC' }
    case 'iceberg':
      return { ...common, price: body.price, tif: 'ALO' }
    case 'chase':
      // A chase does not take where its limit would.
      return { ...common, price: body.price, tif: 'TOB' }
    case 'scale':
      return { ...common, price: body.average, tif: body.orders[0]!.tif }
    case 'oco': {
      const [leg] = body.legs
      const rests = leg !== undefined && 'price' in leg
      return rests
        ? { ...common, price: leg.price, tif: 'ALO' }
        : { ...common, slippage_percent: stopSlippageMax }
    }
    default: {
      const { limit_price, slippage_percent } = body.stop_order
      if (limit_price == null)
        return { ...common, slippage_percent: slippage_percent ?? stopSlippageMax }
      return { ...common, price: limit_price, tif: 'GTC' }
    }
  }
}
