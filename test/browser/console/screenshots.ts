import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { newKey } from '../../../src/client/key.ts'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import {
  ConsoleDesk,
  changesIn,
  dialog,
  listing,
  review,
  tokenOf,
} from '../../support/browser/console-desk.ts'
import { phone, type Size } from '../../support/browser/trading-desk.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { dataOf, type Row } from '../../support/http/api-client.ts'
import { programOptions } from '../../support/program/program.ts'

programOptions({
  name: 'screenshots/console',
  about:
    'Takes the pictures of docs/operating/console.md from the running product: a venue with a ' +
    'few markets, traders and things to decide.',
})

const images = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
const wide: Size = { width: 1280, height: 860 }

const others = [
  {
    symbol: 'ETH',
    oracle: '4012.4',
    tick_size: '0.1',
    lot_size: '0.0001',
    min_tick: '0.1',
    open_interest_cap: '20000',
  },
  {
    symbol: 'SOL',
    oracle: '165.21',
    tick_size: '0.01',
    lot_size: '0.01',
    min_tick: '0.01',
    open_interest_cap: '400000',
  },
] as const

/** Three sources, of which one lags. */
function pushOthers(desk: ConsoleDesk): () => void {
  const push = async () => {
    for (const [at, name] of ['one', 'two', 'prices'].entries()) {
      const prices = others.map(({ symbol, oracle }) => ({
        ...{ symbol, price: String(Number(oracle) + at / 10) },
      }))
      await new AdminClient(desk.live, tokenOf(name)).post('/prices', { prices })
    }
  }
  const timer = setInterval(() => void push().catch(() => undefined), 2_000)
  void push()
  return () => clearInterval(timer)
}

async function furnish(desk: ConsoleDesk): Promise<void> {
  const { admin } = desk
  const act = async (path: string, body: Row) => dataOf(await admin.post(path, body))
  for (const { symbol, ...more } of others) {
    const backstop_address = ownerlessAddress(`backstop of ${symbol}`)
    const named = { symbol, base_asset: symbol, backstop_address, reason: 'second market' }
    await act('/markets/list', {
      ...listing,
      ...more,
      ...named,
      max_leverage: 25,
      max_tick: '20000',
    })
  }
  const change = { max_leverage: 30 }
  await act('/markets/change', { symbol: 'BTC', change, reason: 'books are thin at night' })
  await act('/markets/reduce_only', { symbol: 'SOL', reason: 'its feed is being repaired' })
  await act('/withdrawals/limits', {
    ...{ approval_above: '1000', daily_max: '50000', reason: 'as the board decided' },
  })
  for (const margin of ['1400', '3000', '8000', '25000']) {
    const trader = newKey()
    await desk.fund(trader, margin)
    const deal = { symbol: 'BTC', price: '100000', amount: '0.25' }
    await desk.live.trade({ ...deal, buyer: trader, seller: desk.short })
  }
  for (const amount of ['250', '4200', '1500']) await desk.withdrawal(desk.short, amount)
  const stolen = newKey()
  await desk.fund(stolen, '700')
  // The receiver of the webhooks rejects this one.
  await desk.fund(newKey(), '13')
  desk.custody.report(`deposit,0x9a41c7,${desk.long.address},250.5,,`)
  desk.custody.report(`deposit,wire 7731,${desk.short.address},1000,,`)
  const account = stolen.address
  await act('/accounts/freeze', { account, frozen: true, reason: 'its owner lost the key' })
  await act('/accounts/note', {
    ...{ account: desk.long.address, text: 'Called on Monday: adds margin by Wednesday.' },
    reason: 'near its liquidation',
  })
  await act('/incidents/announce', {
    ...{ title: 'The feed of SOL is being repaired', impact: 'degraded', markets: ['SOL'] },
    ...{ text: 'Positions can be closed. We expect an hour.', reason: 'feed' },
  })
}

async function take(page: Page, name: string): Promise<void> {
  // Waits until delayed numbers have arrived and notices are hidden.
  await page.waitForTimeout(1_200)
  await page.screenshot({ path: join(images, `console-${name}.png`) })
}

async function takeDesktop(desk: ConsoleDesk): Promise<void> {
  const page = await desk.visit('ann', wide)
  const at = (place: string) => page.goto(`${desk.live.adminUrl}/#${place}`)
  await take(page, 'overview')
  await at('markets/BTC')
  await page.getByRole('main').locator('[data-operation="change_market"]').click()
  await review(page, { 'Max leverage': '10', 'Risk tiers': '' })
  await dialog(page)
    .getByText(/Would be liquidated/)
    .waitFor()
  await take(page, 'change')
  await page.keyboard.press('Escape')
  await at('prices')
  await take(page, 'prices')
  await at(`accounts/${desk.long.address}`)
  await page.getByRole('main').locator('[data-operation="freeze_account"]').click()
  await changesIn(page)
  await take(page, 'freeze')
  await page.keyboard.press('Escape')
  await at('withdrawals')
  await take(page, 'withdrawals')
  await at('webhooks')
  await page.getByRole('table', { name: 'Given up' }).getByText('503').waitFor()
  await take(page, 'webhooks')
  await at('treasury')
  await page.getByRole('table', { name: 'Refused reports' }).getByText('000001.csv').waitFor()
  await take(page, 'treasury')
  await at('money')
  dataOf(await desk.admin.post('/reserves/prove', { reason: 'proof of the month' }))
  await page.getByText('openperp verify mine.json').waitFor()
  await take(page, 'proof')
  await at('journal')
  await page.getByRole('button', { name: 'Light' }).click()
  await take(page, 'journal-light')
}

async function takeLimited(desk: ConsoleDesk): Promise<void> {
  const page = await desk.visit('reads-markets', wide)
  await page.goto(`${desk.live.adminUrl}/#accounts`)
  await take(page, 'scopes')
  const small = await desk.visit('ann', phone)
  await take(small, 'phone')
}

mkdirSync(images, { recursive: true })
const desk = await ConsoleDesk.open()
try {
  await furnish(desk)
  const stop = pushOthers(desk)
  await takeDesktop(desk)
  await takeLimited(desk)
  stop()
} finally {
  await desk.close()
}
