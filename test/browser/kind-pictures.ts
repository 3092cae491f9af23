// Pictures of the advanced order kinds: the ticket in each of them, several levels, the table of
// waiting and running orders, and the chart with its lines.

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { chooseKind, type Kind, order, tab, ticket } from '../support/browser/trading-desk.ts'

export type Look = 'light' | 'dark'
/** The folder of the pictures, and the price around which orders are placed. */
export type Scene = Readonly<{ images: string; mark: number; look: Look }>

/** Until the change is drawn and the notices of fills are hidden. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(900)
  const notices = page.locator('.toast').getByRole('button', { name: 'Dismiss' })
  while ((await notices.count()) > 0) await notices.first().click({ timeout: 2_000 })
}

type Shown = Readonly<{ kind: Kind; fields: Readonly<Record<string, number | string>> }>

function shownKinds(mark: number): readonly Shown[] {
  const size = { Size: '0.08' }
  return [
    { kind: 'Limit', fields: { Price: mark - 60, ...size } },
    { kind: 'Stop', fields: { 'Trigger at mark': mark + 120, ...size } },
    { kind: 'OCO', fields: { Price: mark - 90, 'Stop trigger': mark + 120, ...size } },
    { kind: 'Iceberg', fields: { Price: mark - 40, ...size, 'Visible size': '0.02' } },
    { kind: 'Chase', fields: { 'Max price': mark + 40, ...size } },
    { kind: 'Scale', fields: { 'From price': mark - 40, 'To price': mark - 160, ...size } },
    { kind: 'TWAP', fields: { Duration: '10', ...size } },
  ]
}

/** The ticket in each kind, side by side in one picture. */
export async function takeKinds(page: Page, { images, mark, look }: Scene): Promise<void> {
  const tiles: string[] = []
  for (const { kind, fields } of shownKinds(mark)) {
    await chooseKind(page, kind)
    for (const [label, value] of Object.entries(fields))
      await ticket(page).getByLabel(label, { exact: true }).fill(String(value))
    await ticket(page).locator('.figures dd', { hasNotText: '–' }).first().waitFor()
    await page.mouse.move(400, 300)
    await settle(page)
    const form = ticket(page).locator('.ticket-form')
    tiles.push((await form.screenshot()).toString('base64'))
  }
  const sheet = await page.context().newPage()
  const pictures = tiles.map((tile) => `<img src="data:image/png;base64,${tile}" width=290>`)
  const style = `margin:0;padding:12px;display:flex;gap:12px;align-items:flex-start;
    width:max-content;background:${look === 'dark' ? '#0b0d12' : '#e9ecf1'}`
  await sheet.setContent(`<!doctype html><body style="${style}">${pictures.join('')}</body>`)
  await sheet.locator('body').screenshot({ path: join(images, `terminal-kinds-${look}.png`) })
  await sheet.close()
}

/** Two take-profits and a trailing stop-loss, in the dialog of a position. */
export async function takeLevels(page: Page, { images, mark, look }: Scene): Promise<void> {
  await tab(page, /^Positions/).click()
  await page.getByRole('button', { name: 'Take profit and stop loss of BTC' }).click()
  const dialog = page.getByRole('dialog')
  const remove = dialog.getByRole('button', { name: /^Remove take profit/ })
  while ((await remove.count()) > 0) await remove.last().click()
  await dialog.getByLabel('Take profit at mark', { exact: true }).fill(String(mark + 110))
  await dialog.getByRole('button', { name: 'Add a take profit' }).click()
  await dialog.getByLabel('Take profit at mark 2').fill(String(mark + 220))
  await dialog.getByLabel('Share of take profit 1').fill('60')
  await dialog.getByLabel('Share of take profit 2').fill('40')
  await dialog.getByLabel('How stop loss 1 is meant').selectOption('trail')
  await dialog.getByLabel('Stop loss at mark', { exact: true }).fill('0.2')
  await settle(page)
  await page.screenshot({ path: join(images, `terminal-levels-${look}.png`) })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Sends it, and waits until the ticket is ready for the next. */
async function sent(page: Page, { kind, fields }: Shown): Promise<void> {
  const texts = Object.entries(fields).map(([label, value]) => [label, String(value)])
  await order(page, kind, Object.fromEntries(texts))
  const size = ticket(page).getByLabel('Size', { exact: true })
  while ((await size.inputValue()) !== '') await page.waitForTimeout(100)
}

/** One of every kind that waits or runs. */
export async function setUpWork(page: Page, mark: number): Promise<void> {
  await chooseKind(page, 'Stop')
  await ticket(page).getByLabel('Trailing').uncheck()
  const oco = { Price: mark - 140, 'Stop trigger': mark + 170, Size: '0.04' }
  const iceberg = { Price: mark - 75, Size: '0.1', 'Visible size': '0.02' }
  await sent(page, { kind: 'OCO', fields: oco })
  await sent(page, { kind: 'Iceberg', fields: iceberg })
  await sent(page, { kind: 'Chase', fields: { 'Max price': mark + 60, Size: '0.02' } })
  await sent(page, { kind: 'TWAP', fields: { Size: '0.03', Duration: '20' } })
}

/** The table of waiting and running orders, under the chart with its lines. */
export async function takeWork(page: Page, { images, look }: Scene): Promise<void> {
  await tab(page, /Stops & algos/).click()
  await page.mouse.move(1_200, 880)
  await settle(page)
  await page.screenshot({ path: join(images, `terminal-work-${look}.png`) })
}

/** On a phone: the ticket of an OCO, and the table. */
export async function takeSmall(page: Page, { images, mark }: Omit<Scene, 'look'>): Promise<void> {
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('button', { name: 'Trade' }).click()
  await chooseKind(page, 'OCO')
  const fields = { Price: mark - 90, 'Stop trigger': mark + 120, Size: '0.08' }
  for (const [label, value] of Object.entries(fields))
    await ticket(page).getByLabel(label, { exact: true }).fill(String(value))
  await settle(page)
  await page.screenshot({ path: join(images, 'terminal-phone-oco.png') })
  await views.getByRole('button', { name: 'Account' }).click()
  await tab(page, /Stops & algos/).click()
  await settle(page)
  await page.screenshot({ path: join(images, 'terminal-phone-work.png') })
}
