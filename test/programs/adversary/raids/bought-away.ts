// The raid on guarded equity: honest makers are 5 % below the index. A ring buys all that they
// offer, so that no impact price is left to guard, and loses the profit at mark to a friend. Then
// the index comes to the book.

import type { Edition } from '../../../support/venue/edition.ts'
import { Stage } from './stage.ts'

type Deal = readonly [dollars: number, price: number]

export type BoughtAway = Readonly<{
  name: string
  ring: Readonly<Record<string, number>>
  sweeper: string
  /** What the makers offer. */
  offered: number
  /** Makers are back this many ms after the sweep; 0: when all is done. */
  backMs: number
  deals: readonly Deal[]
}>

const two = { A: 60_000, F: 60_000 }
const alone = { ring: { S: 60_000, A: 60_000, F: 100_000 }, sweeper: 'S' }
const plain = { ring: two, sweeper: 'A', offered: 2_500_000, backMs: 0 }
const pieces = (count: number, deal: Deal): Deal[] => Array.from({ length: count }, () => deal)

export const boughtAway: readonly BoughtAway[] = [
  { ...plain, name: 'makers back immediately', backMs: 50, deals: [[1_150_000, 62_900]] },
  { ...plain, name: 'makers back later', deals: [[2_000_000, 62_900]] },
  { ...plain, name: 'then at the mark', ring: { A: 150_000, F: 150_000 }, deals: [[4e6, 60_000]] },
  { ...plain, ...alone, name: 'another account, at the mark', deals: [[2_900_000, 60_000]] },
  { ...plain, ...alone, name: 'another account, above', deals: [[1_900_000, 60_600]] },
  {
    ...plain,
    name: 'on average at the mark',
    offered: 1_200_000,
    deals: pieces(30, [48_333, 62_500]),
  },
  { ...plain, name: 'a little above', offered: 800_000, deals: pieces(30, [63_333, 61_200]) },
]

/** What the ring gains, in micro-dollars. */
export function boughtAwayRaid(edition: Edition, raid: BoughtAway): number {
  const stage = new Stage(edition, raid.ring, { H: 20_000_000 })
  const had = stage.money
  const quote = () => stage.place('H', { dollars: -raid.offered, price: 57_010 })
  stage.place('H', { dollars: raid.offered, price: 56_990 })
  quote()
  stage.tick(3_000, 60_000)
  stage.place(raid.sweeper, { dollars: raid.offered, price: 57_010, tif: 'IOC' })
  stage.tick(300, 60_000)
  if (raid.backMs > 0) {
    stage.venue.now += raid.backMs
    quote()
  }
  stage.tick(100 - raid.backMs, 60_000)
  if (raid.backMs > 0)
    stage.place(raid.sweeper, { dollars: raid.offered, price: 57_010, tif: 'IOC' })
  for (const [dollars, price] of raid.deals) {
    stage.deal('A', 'F', dollars, price)
    stage.tick(250, 60_000)
  }
  if (raid.backMs === 0) quote()
  for (let price = 59_700; price >= 57_000; price -= 300) stage.tick(3_000, price)
  for (let more = 0; more < 4; more++) stage.tick(3_000, 57_000)
  return stage.money - had
}
