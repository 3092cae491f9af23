// What is mutated, and the tests that are to notice.

export type Zone = Readonly<{
  /** Files of `src`, or folders without those in them. */
  code: readonly string[]
  /** Whether the histories that the core and its twin agreed on are replayed too. */
  histories: boolean
  /** Tests of the build; those of one line share a process, and so must have no hooks. */
  tests: readonly (readonly string[])[]
}>

const tested = (pattern: string): string => `src/${pattern}.test.js`
const scenario = (name: string): string => `test/scenarios/${name}.test.js`

/** Each assertion of the core, broken. */
const assertions = ['test/assertions/assertions.test.js']

export const zones: Readonly<Record<string, Zone>> = {
  units: {
    code: ['units'],
    histories: true,
    tests: [[tested('units/*')]],
  },
  margin: {
    code: [
      'core/margin/equity.ts',
      'core/margin/margin.ts',
      'core/margin/margin-checks.ts',
      'core/matching/settle-fill.ts',
    ],
    histories: true,
    tests: [[tested('core/margin/*')], [scenario('orders')], assertions],
  },
  prices: {
    code: [
      'core/markets/oracle-tick.ts',
      'core/markets/feed-health.ts',
      'core/prices/impact-price.ts',
      'core/prices/trading.ts',
      'core/markets/change-market.ts',
    ],
    histories: true,
    tests: [[scenario('prices')]],
  },
  funding: {
    code: ['core/funding'],
    histories: true,
    tests: [[tested('core/view/exchange-view')], [scenario('funding')]],
  },
  liquidation: {
    code: ['core/liquidation', 'core/solvency'],
    histories: true,
    tests: [[tested('core/liquidation/*'), tested('core/queues/*')], assertions],
  },
  reactions: {
    code: ['core/due/reactions.ts', 'core/due/account-reactions.ts', 'core/due/due-work.ts'],
    histories: true,
    tests: [[scenario('core')], ['test/properties/liveness.test.js']],
  },
  orders: {
    code: ['core/orders', 'core/drafts', 'core/matching', 'core/previews', 'core/book'],
    histories: true,
    tests: [
      [tested('core/book/*'), scenario('triggers'), scenario('orders')],
      [tested('core/previews/*'), tested('core/orders/*')],
      ['test/properties/*.test.js'],
      ['test/cli/explain.test.js'],
      assertions,
    ],
  },
  makers: {
    code: [
      'core/makers',
      'core/orders/quote.ts',
      'core/orders/trips.ts',
      'core/timing/expiry.ts',
      'core/drafts/order-options.ts',
      'core/orders/batch.ts',
      'core/matching/ended-orders.ts',
      'core/queues/expiry-queue.ts',
      'core/orders/kept-actions.ts',
    ],
    histories: true,
    tests: [[tested('core/queues/expiry-queue'), scenario('orders-batch')], [scenario('orders/*')]],
  },
  policies: {
    code: ['core/policies', 'core/admission/key-limit.ts', 'core/accounts/left-behind.ts'],
    histories: true,
    tests: [[tested('core/previews/preview-by-agent')], [scenario('accounts/*')]],
  },
  triggers: {
    code: ['core/triggers', 'core/levels', 'core/oco'],
    histories: true,
    tests: [[tested('core/triggers/*'), scenario('triggers'), scenario('triggers/*')]],
  },
  algos: {
    code: ['core/algos'],
    histories: true,
    tests: [[scenario('triggers'), scenario('algos/*')]],
  },
  journal: {
    code: ['journal', 'journal/lock'],
    histories: false,
    tests: [
      [tested('journal/formats')],
      [tested('journal/data-files')],
      [tested('journal/journal')],
      [tested('journal/journal-room')],
      [tested('journal/take-over')],
      [tested('journal/lock/*')],
      ['test/journal-damage.test.js'],
    ],
  },
  auth: {
    code: ['gateway/auth'],
    histories: false,
    tests: [
      [tested('gateway/auth/api-keys'), tested('gateway/auth/key-use')],
      [tested('gateway/auth/check-signature')],
      [tested('gateway/auth/ed25519')],
      [tested('gateway/auth/verifier-batches')],
      [tested('gateway/auth/verifiers')],
      ['test/signing-vectors.test.js'],
    ],
  },
}
