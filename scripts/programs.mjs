// Programs that `npm run x` runs: a name, the module of the build, and what it is for. Each program
// declares its own options: `npm run x <name> -- --help`.
const table = `
bench/all            bench/all                  the usual benchmarks, one after the other
bench/engine         bench/engine               commands a second, compared with another book
bench/levels         bench/book/levels          cost of a command in a deep book
bench/snapshot       bench/snapshot             a million orders to bytes and back
bench/reserves       bench/money/reserves       a proof of reserves of 100,000 accounts
bench/liquidations   bench/liquidations         10,000 liquidations by one price
bench/liveness       bench/risk/liveness        the same with 50,000 stops and no trading
bench/expiry         bench/orders/expiry        100,000 orders that expire together
bench/makers         bench/orders/makers        a thousand protected makers tripped by one order
bench/trailing       bench/orders/trailing      trailing stops that a rise moves
bench/chases         bench/orders/chases        a thousand chases after one quote
bench/batch          bench/orders/batch         fifty orders under one signature
bench/leader         bench/paired/leader        signed orders into sequencer and journal only
bench/recovery       bench/recovery             a journal of a million commands, replayed or audited
bench/pause          bench/pause                how long an order waits during a snapshot
bench/history        bench/history              the history store, fed and read
bench/candles        bench/candles              pages of candles from a year of minutes
bench/http           bench/http                 signed orders over HTTP, durable
bench/ws             bench/ws                   thousands of readers of the websocket
bench/embed          bench/embed                the exchange in process: memory, calls, requests
bench/sandbox-day    bench/running/sandbox-day  a sandbox that runs for a day
bench/gateways       bench/running/gateways     one process, and one with gateways
bench/readers        bench/running/readers      delay of a read node, and cost of its sockets
bench/cluster        bench/running/cluster      a journal in a folder and in three databases
bench/capacity       bench/running/capacity     cost of an order and a websocket, by part
differential         test/differential          the core and its naive twin on random histories
as-of                test/as-of                 published numbers and the core at their seq
fuzz                 test/fuzz                  malformed requests over all routes
mutate               test/mutate                faults in the code that tests have to notice
adversary            test/hostile/adversary     colluding accounts that search for profit
without-rules        test/hostile/without-rules  rules removed: the adversary finds each
stolen-keys          test/hostile/stolen-keys   what a stolen key with a policy can cost
named-days           test/hostile/named-days    bad days and their figures
torture/exchange     test/torture               kill -9 and reverts of an exchange
torture/restart      test/torture-restart       kill -9 of a sandbox while its scenarios play
torture/overload     test/torture-overload      far more requests than can be served
torture/journal      test/journal-damage        random damage to the files of an exchange
torture/cluster      test/torture-cluster       leaders and databases killed, paused, cut off
torture/moves        test/cluster/torture-moves          kill -9 of moves into and out of a cluster
torture/clocks       test/clocks/torture        wrong clocks: a signed text has one effect
torture/webhooks     test/torture-webhooks      an exchange or its webhook receiver, killed
torture/readers      test/torture-readers       read nodes and their leader, equal to the byte
soak/streams         test/streams/soak          streams rebuilt and resumed under random trading
streams/resume-soak  test/streams/resume-soak   streams resumed after restarts of the exchange
soak/web             test/browser/soak          the terminal open for ten minutes
screenshots          test/browser/screenshots   pictures of the terminal
screenshots/console  test/browser/console/screenshots  pictures of the console
first-day            test/operating/first-day   docs/operating/first-day.md in a shell
check-deploy         test/check-deploy          files of deploy/, checked and run
lab/repeat           test/lab/repeat            the same requests in new fixtures, equal hashes
lab/python           test/lab/python            a suite, a bot in virtual time and a book, in Python
lab/fork             bench/running/fork         a fork at the middle of a long journal
lab/whatif           test/lab/whatif            recorded cancels after an inserted order
lab/faults           test/lab/faults             faults: both truths, and equal ledgers
lab/latency          test/lab/latency            requested and achieved delays over sockets
lab/start-time       test/lab/start-time        how long a fixture takes to start and to end
golden               test/replay/make-golden    journals that later versions must replay
`

/** @type {ReadonlyMap<string, { module: string; about: string }>} */
export const programs = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name, module, about] = line.split(/ {2,}/)
      return [name, { module, about }]
    }),
)

/** Names that may have been meant, the most probable ones first.
 *  @param {(given: string, words: readonly string[]) => string | null} nearWord */
export function nearNames(given, nearWord) {
  const wanted = given.replaceAll(':', '/')
  const names = [...programs.keys()]
  const has = (name) => name.split('/').some((part) => part.startsWith(wanted))
  const begun = names.filter((name) => wanted !== '' && (name.startsWith(wanted) || has(name)))
  if (begun.length > 0) return begun
  const near = nearWord(wanted, names)
  if (near !== null) return [near]
  const part = wanted.split('/').at(-1)
  const last = nearWord(
    part,
    names.map((name) => name.split('/').at(-1)),
  )
  return last === null ? [] : names.filter((name) => name.split('/').at(-1) === last)
}
