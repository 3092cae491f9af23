// What is mutated, and the tests that are to notice: those beside the code first, because they are
// short, then what compares with another answer.

export type Zone = Readonly<{
  /** Folders or files of `src`. */
  code: readonly string[]
  /** Programs of `dist`, with arguments; the first that fails has noticed. */
  tests: readonly (readonly string[])[]
}>

const beside = (pattern: string): readonly string[] => [`src/${pattern}.test.js`]
const scenario = (name: string): readonly string[] => [`test/scenarios/${name}.test.js`]
const twin: readonly string[] = ['test/support/mutate/few-worlds.js']

export const zones: Readonly<Record<string, Zone>> = {
  units: {
    code: ['units'],
    tests: [beside('units/*'), scenario('units'), scenario('fees'), twin],
  },
  margin: {
    code: ['core/accounts/margin.ts', 'core/accounts/margin-checks.ts', 'core/matching/fill.ts'],
    tests: [
      scenario('margin'),
      scenario('fees'),
      scenario('orders'),
      scenario('liquidation*'),
      beside('core/accounts/*'),
      twin,
    ],
  },
  funding: {
    code: ['core/funding'],
    tests: [scenario('funding'), scenario('prices'), twin],
  },
  liquidation: {
    code: ['core/liquidation'],
    tests: [scenario('liquidation*'), beside('core/liquidation/*'), twin],
  },
  orders: {
    code: ['core/orders', 'core/matching', 'core/book'],
    tests: [
      scenario('orders'),
      scenario('triggers'),
      beside('core/book/*'),
      ['test/properties/*.test.js'],
      twin,
    ],
  },
  journal: {
    code: ['journal'],
    tests: [beside('journal/*'), beside('journal/*/*'), ['test/journal-damage.test.js']],
  },
  auth: {
    code: ['gateway/auth'],
    tests: [beside('gateway/auth/*'), ['test/signing-vectors.test.js'], ['test/keys/*.test.js']],
  },
}
