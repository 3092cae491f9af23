import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Intake, intakeLimits } from './intake.ts'
import type { LaneName, Line, Ticket } from './line.ts'

type TestRequest = Readonly<{ who: string; lane: LaneName; n: number }>

/** Connections whose requests end when the test says so. */
class Scene {
  readonly intake = new Intake()
  readonly begun: string[] = []
  readonly refused: string[] = []
  readonly paused = new Set<string>()
  readonly overflowed = new Set<string>()
  private readonly tickets: Ticket[] = []

  line(who: string, ipKey: string, activeMax = 256): Line<TestRequest> {
    return this.intake.line<TestRequest>(
      { ipKey, activeMax },
      {
        laneOf: ({ lane }) => lane,
        begin: (requests, ticket) => {
          this.begun.push(`${who}${requests.n}`)
          this.tickets.push(ticket)
        },
        refuse: ({ n }) => this.refused.push(`${who}${n}`),
        pause: () => this.paused.add(who),
        resume: () => this.paused.delete(who),
        overflow: () => this.overflowed.add(who),
      },
    )
  }

  send(line: Line<TestRequest>, who: string, count: number, lane: LaneName = 'order'): void {
    for (let n = 0; n < count; n++) this.intake.take(line, { who, lane, n })
  }

  async finish(count: number): Promise<void> {
    for (const ticket of this.tickets.splice(0, count)) ticket.done()
    await this.turns()
  }

  async turns(): Promise<void> {
    for (let n = 0; n < 5; n++) await new Promise((later) => setImmediate(later))
  }
}

test('one address never has all places, and another begins immediately', async () => {
  const scene = new Scene()
  const greedy = scene.line('a', 'x', 10_000)
  scene.send(greedy, 'a', 1_000)
  await scene.turns()
  const begun = scene.begun.length
  assert.ok(begun >= 100 && begun < 192, `${begun}`)
  assert.ok(scene.paused.has('a'))
  scene.send(scene.line('b', 'y'), 'b', 1)
  await scene.turns()
  assert.equal(scene.begun.at(-1), 'b0')
  assert.deepEqual(scene.intake.load, { underWay: begun + 1, waiting: 1_000 - begun })
})

test('a cancel begins when orders cannot, but after earlier requests of its sender', async () => {
  const scene = new Scene()
  for (const ip of ['x', 'y']) scene.send(scene.line('a', ip, 10_000), 'a', 500)
  await scene.turns()
  const full = scene.begun.length
  scene.send(scene.line('b', 'z'), 'b', 1, 'order')
  const canceller = scene.line('c', 'x')
  scene.send(canceller, 'c', 1, 'cancel')
  await scene.turns()
  assert.deepEqual(scene.begun.slice(full), ['c0'])
  const both = scene.line('d', 'x')
  scene.send(both, 'd', 1, 'order')
  scene.send(both, 'd', 1, 'cancel')
  await scene.turns()
  assert.equal(scene.begun.length, full + 1)
})

test('free places go round the addresses, and round the connections of one', async () => {
  const scene = new Scene()
  for (const ip of ['x', 'y']) scene.send(scene.line('a', ip, 10_000), 'a', 500)
  await scene.turns()
  const full = scene.begun.length
  const lines = ['p', 'q', 'r'].map((who) => [who, scene.line(who, 'z')] as const)
  for (const [who, line] of lines) scene.send(line, who, 2)
  scene.send(scene.line('s', 'w'), 's', 2)
  await scene.finish(32)
  const mine = scene.begun.slice(full).filter((each) => !each.startsWith('a'))
  assert.deepEqual(mine.sort(), ['p0', 'p1', 'q0', 'q1', 'r0', 'r1', 's0', 's1'])
  const first = scene.begun.slice(full).indexOf('s0')
  assert.ok(first >= 0 && first < 6, scene.begun.slice(full).join(' '))
})

test('a connection is read again when all that it sent has begun', async () => {
  const scene = new Scene()
  const line = scene.line('a', 'x', 1)
  scene.send(line, 'a', 3)
  assert.deepEqual(scene.begun, ['a0'])
  assert.ok(scene.paused.has('a'))
  await scene.finish(1)
  assert.deepEqual(scene.begun, ['a0', 'a1'])
  assert.ok(scene.paused.has('a'))
  await scene.finish(1)
  assert.ok(!scene.paused.has('a'))
  const settled = line.settled()
  await scene.finish(1)
  await settled
})

test('the queue of a connection and of an address is bounded', async () => {
  const scene = new Scene()
  const line = scene.line('a', 'x', 1)
  scene.send(line, 'a', intakeLimits.waitingOfLine + 10)
  assert.ok(scene.overflowed.has('a'))
  assert.equal(scene.intake.load.waiting, intakeLimits.waitingOfLine)
  const few = scene.line('b', 'x', 1)
  scene.send(few, 'b', 10)
  assert.ok(!scene.overflowed.has('b'))
})

test('a client whose order would wait too long is refused, and may read and cancel', async () => {
  const scene = new Scene()
  const lines = Array.from({ length: 2_000 }, (_, n) => scene.line(`a${n}-`, 'x'))
  for (const line of lines) scene.send(line, 'a', 1)
  await scene.turns()
  await scene.finish(1)
  // The pace of the lane is what gets done in a quarter of a second or more: forty of 2,000.
  await new Promise((later) => setTimeout(later, 300))
  await scene.finish(40)
  for (const lane of ['order', 'read', 'cancel'] as const)
    scene.send(scene.line(lane, 'x'), lane, 1, lane)
  await scene.turns()
  assert.deepEqual(scene.refused, ['order0'])
  assert.ok(scene.begun.includes('read0') && scene.begun.includes('cancel0'))
})

test('whose turn to be read it is keeps it, however much others send', async () => {
  const scene = new Scene()
  const shout = (who: string) => {
    const line = scene.line(who, 'x', 1)
    for (let n = 0; n < 10; n++) {
      scene.send(line, who, 1)
      const until = performance.now() + 3
      while (performance.now() < until);
    }
  }
  scene.line('quiet', 'x', 1)
  shout('a')
  assert.ok(scene.paused.has('quiet'), 'no other connection is read in that turn')
  await new Promise((later) => setImmediate(later))
  assert.ok(!scene.paused.has('quiet'))
  shout('b')
  assert.ok(!scene.paused.has('quiet'), 'it has not been read yet')
})
