import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineDrag, restMs } from './line-drag.ts'

const never = () => assert.fail('a mouse does not rest')

test('a line moves with the pointer from where it was grabbed, beyond a small slip', () => {
  const drag = new LineDrag()
  assert.equal(drag.by({ x: 10, y: 90 }), null)
  drag.grab({ x: 10, y: 100 }, false, never)
  assert.equal(drag.by({ x: 10, y: 103 }), null)
  assert.equal(drag.by({ x: 400, y: 100 }), null)
  assert.equal(drag.by({ x: 400, y: 130 }), 30)
  assert.equal(drag.by({ x: 10, y: 60 }), -40)
  assert.equal(drag.by({ x: 10, y: 101 }), null)
  drag.end()
  assert.equal(drag.by({ x: 10, y: 200 }), null)
  assert.equal(drag.follows, false)
})

test('a finger drags once it has rested, and scrolls the page otherwise', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const drag = new LineDrag()
  let rested = 0
  const grab = () => drag.grab({ x: 10, y: 100 }, true, () => (rested += 1))
  grab()
  assert.equal(drag.by({ x: 10, y: 140 }), null)
  context.mock.timers.tick(restMs)
  assert.equal(drag.by({ x: 10, y: 180 }), null)
  assert.deepEqual([drag.follows, rested], [false, 0])
  grab()
  assert.equal(drag.by({ x: 12, y: 101 }), null)
  context.mock.timers.tick(restMs)
  assert.deepEqual([drag.follows, rested], [true, 1])
  assert.equal(drag.by({ x: 10, y: 140 }), 40)
})
