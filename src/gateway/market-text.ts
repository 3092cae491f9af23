// Feeds and operations write the same numbers in the same way.

export * from '../feeds/market-text.ts'
