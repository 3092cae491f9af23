// Feeds and operations format numbers in the same way.

export * from '../feeds/market-text.ts'
