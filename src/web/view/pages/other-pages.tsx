// The pages other than the trade page, which are loaded together: shared parts stay in few files.

export { default as LeaderboardPage } from './leaderboard-page.tsx'
export { default as MarketsPage } from './markets-page.tsx'
export { default as PortfolioPage } from './portfolio-page.tsx'
