// The document of each family of rules.

const documents: Readonly<Record<string, string>> = {
  ACCT: 'accounts',
  ALGO: 'algos',
  CORE: 'core',
  FEE: 'fees',
  FUND: 'funding',
  LIQ: 'liquidation',
  MARGIN: 'margin',
  MARKET: 'markets',
  ORDER: 'orders',
  PRICE: 'prices',
  TRIG: 'triggers',
  UNITS: 'units',
}

/** Path of the document that has this rule, such as `FEE-1`. */
export function documentOf(rule: string): string {
  return `docs/rules/${documents[rule.split('-')[0]!]}.md`
}
