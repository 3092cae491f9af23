// Feeds, history and explanations describe a command as the core had it after that command, however
// many commands of its batch had been applied before they were published. The long form is
// `npm run x as-of`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsOfWorld } from '../support/as-of/as-of-world.ts'
import { checkExplanations } from '../support/as-of/check-explanations.ts'

test('each of four transfers in one batch is published with the balance after it', async () => {
  const world = new AsOfWorld(1, 100)
  const usd = 1_000_000
  const atMs = world.generator.world.startMs
  const address = 'a trader'
  const one = (command: object) => ({ atMs, command: command as never })
  const deposit = (amount: number, reference: string) =>
    one({ type: 'Deposit', address, amount, reference })
  await world.batch([deposit(1_000 * usd, 'first')])
  const account = world.moments.at(-1)!.balance.length - 1
  const withdraw = (amount: number) => one({ type: 'Withdraw', account, proof: null, amount })
  await world.batch([
    withdraw(100 * usd),
    withdraw(50 * usd),
    one({ type: 'CompleteWithdrawal', withdrawal: 1 }),
    deposit(7 * usd, 'second'),
  ])
  const has = world.moments.slice(-4).map(({ balance, pending }) => {
    return [balance[account]! / usd, pending[account]! / usd]
  })
  assert.deepEqual(has, [
    [900, 100],
    [850, 150],
    [850, 50],
    [857, 50],
  ])
})

// Worlds of every kind: funding, crashes, isolated positions, days.
for (const seed of [1, 11])
  test(`every published number is the core's at its seq: world ${seed}`, async () => {
    await new AsOfWorld(seed, 600).run(600, () => undefined)
  })

// Orders wait for their release, and a level comes with one that does.
for (const seed of [7])
  test(`a client that resumes after a restart gets the missed frames: world ${seed}`, async () => {
    const world = new AsOfWorld(seed, 600)
    await world.run(600, () => undefined)
    const count = await world.checkPast()
    assert.ok(count > 20, `${count} frames`)
  })

test('a position is worth something before its market has had a price', async () => {
  // Traders fill each other right after the listing.
  await new AsOfWorld(100, 2_500).run(65, () => undefined)
})

type Kind = 'liquidations' | 'payments'

/** Explains worlds one after the other until more than five of a kind were checked. */
async function explainMoreThanFive(
  kind: Kind,
  seeds: readonly number[],
  options: Parameters<typeof checkExplanations>[1],
): Promise<void> {
  let found = 0
  for (const seed of seeds) {
    found += (await checkExplanations(seed, options))[kind]
    if (found > 5) return
  }
  assert.fail(`only ${found} ${kind} in the worlds ${seeds}`)
}

test("explanations of liquidations and of long series of fills have the core's numbers", () =>
  explainMoreThanFive(
    'liquidations',
    Array.from({ length: 60 }, (_, at) => at + 1),
    {
      commands: 450,
      batch: 16,
      most: 4,
    },
  ))

test("explanations of funding have the core's numbers at their seq", () =>
  explainMoreThanFive('payments', [34, 14, 26, 38, 10, 2, 6, 18, 22, 30, 42, 46], {
    commands: 900,
    batch: 1,
    most: 6,
  }))
