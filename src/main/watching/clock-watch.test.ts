import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { VenueClock } from '../../sources/clock.ts'
import { ClockWatch } from './clock-watch.ts'

/** The clock of the machine is off the real time by `setBy`. */
function watched(lastAtMs = 0) {
  const time = new ManualTime(1_000_000)
  const lines: string[] = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    lines.push(`${level === 40 ? 'warn' : 'info'} ${msg}`)
  }
  const machine = { setBy: 0 }
  const wall = () => time.now + machine.setBy
  const clock = new VenueClock(wall, lastAtMs)
  const watch = new ClockWatch({
    ...{ wall, monotonic: time.wall, timers: time.timers, engineNow: () => clock.now() },
    log: pino({ level: 'info' }, { write }),
  })
  watch.start()
  return { time, lines, machine, watch, clock }
}

test('a clock that is corrected by less than a second is not logged', async () => {
  const { time, lines, machine, watch } = watched()
  for (const setBy of [0, 900, 100, -700]) {
    machine.setBy = setBy
    await time.pass(5_000)
  }
  assert.deepEqual(lines, [])
  watch.close()
  assert.equal(time.armed, 0)
})

test('a jump ahead is logged, and when it is set right how far engine time is ahead', async () => {
  const { time, lines, machine, watch, clock } = watched()
  await time.pass(3_000)
  machine.setBy = 60_000
  await time.pass(3_000)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /^warn the clock of this machine went 60000 ms ahead, and engine time/)
  machine.setBy = 0
  await time.pass(5_000)
  assert.equal(lines.length, 2)
  assert.match(
    lines[1]!,
    /^warn engine time is 59\d\d\d ms ahead of the clock .*, and stands still/,
  )
  const stood = clock.now()
  await time.pass(50_000)
  assert.equal(clock.now(), stood)
  assert.equal(lines.length, 2)
  await time.pass(10_000)
  assert.equal(lines.length, 3)
  assert.equal(lines[2], 'info the clock of this machine has reached engine time')
  assert.ok(clock.now() > stood)
  watch.close()
})

test('a journal that ends in the future is logged at the start, a further jump too', async () => {
  const { time, lines, machine, watch } = watched(1_000_000 + 3_600_000)
  assert.match(lines.join(), /^warn engine time is 3600000 ms ahead of the clock/)
  await time.pass(10_000)
  assert.equal(lines.length, 1)
  machine.setBy = -30_000
  await time.pass(2_000)
  assert.equal(lines.length, 2)
  watch.close()
})
