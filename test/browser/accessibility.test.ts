import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { desktop, order, phone, TradingDesk } from '../support/browser/trading-desk.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let desk: TradingDesk
let page: Page
before(async () => {
  desk = await TradingDesk.open()
  page = await desk.visit()
  await page.evaluate(axe)
  await order(page, 'Market', { Size: '0.05' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
})
after(() => desk?.close())

type Fault = Readonly<{ id: string; impact: string; nodes: readonly { html: string }[] }>

/** Only violations leave the page: the passes would be megabytes each time. */
const look = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"

/** Serious and critical violations, as `rule: element`. */
async function faults(): Promise<readonly string[]> {
  const violations = (await page.evaluate(look)) as readonly Fault[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 140)}`))
}

/** By keyboard, until it is open: a dialog that is not open has no violations. */
const dialogOf = (key: string) => async () => {
  await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
}

const pages: Readonly<Record<string, () => Promise<unknown>>> = {
  'the desk': async () => undefined,
  'the markets': dialogOf('m'),
  'the command palette': dialogOf('/'),
  'the keys': dialogOf('k'),
  'the settings': dialogOf(','),
  'the shortcuts': dialogOf('?'),
  leverage: dialogOf('l'),
  'the sandbox panel': () => page.keyboard.press('p'),
  'take profit and stop loss': () =>
    page.getByRole('button', { name: 'Take profit and stop loss of BTC' }).click(),
  'closing at a limit': () => page.getByRole('button', { name: 'Limit', exact: true }).click(),
  'a reversal': () => page.getByRole('button', { name: 'Reverse' }).click(),
  'order history': () => page.getByRole('tab', { name: 'Order history' }).click(),
  'the events of an order': () => page.getByRole('button', { name: 'Events' }).first().click(),
  'position history': () => page.getByRole('tab', { name: 'Position history' }).click(),
  fills: () => page.getByRole('tab', { name: 'Fills' }).click(),
  'a closed part': async () => {
    await page.getByRole('tab', { name: 'Positions' }).click()
    await page.getByRole('button', { name: 'Close a part of BTC' }).click()
  },
  'a price that is edited': async () => {
    await page.getByRole('tab', { name: 'Orders' }).click()
    await page.locator('button.edits').first().click()
  },
  'the view of the book': () => page.getByRole('button', { name: 'View of the book' }).click(),
  'stops and algos': () => page.getByRole('tab', { name: 'Stops & algos' }).click(),
  'cancelling all': dialogOf('x'),
  'the ticket of a TWAP': () => page.keyboard.press('4'),
  'a withdrawal': async () => {
    await page.getByRole('tab', { name: 'Balance' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
  },
  'the depth': () => page.getByRole('tab', { name: 'Depth' }).click(),
  'the equity': () => page.getByRole('tab', { name: 'Equity' }).click(),
}

for (const [name, open] of Object.entries(pages))
  test(`${name}: no accessibility violations`, async () => {
    await page.locator('body').press('Escape')
    await open()
    assert.deepEqual(await faults(), [])
    await page.keyboard.press('Escape')
  })

test('every palette has sufficient contrast', async () => {
  for (const theme of ['dark', 'light'])
    for (const colours of ['usual', 'blind']) {
      await page.evaluate(
        `Object.assign(document.documentElement.dataset, ${JSON.stringify({ theme, colours })})`,
      )
      assert.deepEqual(await faults(), [], `${theme} ${colours}`)
    }
})

test('the other pages, in both themes', async () => {
  const main = page.getByRole('main')
  const links = page.getByRole('navigation', { name: 'Pages', exact: true })
  for (const name of ['Markets', 'Portfolio', 'Leaderboard']) {
    await links.getByRole('link', { name }).click()
    await main.getByRole('heading', { name, exact: true }).waitFor()
    await main.getByRole('table').first().waitFor()
    if (name === 'Leaderboard') await main.getByText('You', { exact: true }).waitFor()
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      assert.deepEqual(await faults(), [], `${name} ${theme}`)
    }
    await page.setViewportSize(phone)
    assert.deepEqual(await faults(), [], `${name} on a phone`)
    await page.setViewportSize(desktop)
  }
  await links.getByRole('link', { name: 'Trade' }).click()
})

test('on a phone too', async () => {
  await page.setViewportSize(phone)
  for (const name of ['Chart', 'Book', 'Trade', 'Account']) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
    assert.deepEqual(await faults(), [], name)
  }
  await page.setViewportSize(desktop)
})

test('the status page, in both themes', async () => {
  await page.goto(`${desk.url}/status`)
  await page.evaluate(axe)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await faults(), [], colorScheme)
  }
})
