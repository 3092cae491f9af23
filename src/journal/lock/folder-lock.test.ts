import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { FolderLock } from './folder-lock.ts'
import { ownSpace, startOf } from './process-life.ts'

const isLinux = process.platform === 'linux'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openperp-lock-'))
})
afterEach(() => {
  mock.timers.reset()
  mock.reset()
  rmSync(folder, { recursive: true, force: true })
})

const module = new URL('./folder-lock.js', import.meta.url).href
const program = (then: string) => [
  '--input-type=module',
  '-e',
  `import { FolderLock } from '${module}'
   const lock = await FolderLock.acquire(process.argv[1]).catch((error) => error.message)
   console.log(typeof lock === 'string' ? lock : 'locked')
   ${then}`,
  folder,
]

test('a second process is refused with the id of the first, until that has exited', async () => {
  const holder = spawn(process.execPath, program('setInterval(() => {}, 1000)'))
  await once(holder.stdout, 'data')
  await assert.rejects(FolderLock.acquire(folder), (error: Error) => {
    assert.match(error.message, new RegExp(`in use by process ${holder.pid}\\b`))
    return true
  })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const lock = await FolderLock.acquire(folder)
  lock.release()
})

test('the same process cannot open a folder twice, and can again after it let go', async () => {
  const lock = await FolderLock.acquire(folder)
  await assert.rejects(FolderLock.acquire(folder), /in use by process/)
  lock.release()
  const again = await FolderLock.acquire(folder)
  again.release()
  const before = { pid: process.pid, host: hostname(), started: 'another boot', nonce: 'x' }
  writeFileSync(join(folder, 'lock'), JSON.stringify(before))
  const third = await FolderLock.acquire(folder)
  third.release()
})

/** Of a process that has ended. */
function staleHolder(nonce = 'x'): string {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return JSON.stringify({ pid, host: hostname(), started: 'long ago', nonce })
}

test('one of several processes that find a stale lock gets it', async () => {
  const places = Array.from({ length: 30 }, (_, n) => join(folder, `${n}`))
  const stale = staleHolder()
  for (const place of places) {
    mkdirSync(place)
    writeFileSync(join(place, 'lock'), stale)
  }
  // All wait for the first byte, so that they come to each place together.
  const race = `import { FolderLock } from '${module}'
    await new Promise((go) => process.stdin.once('data', go))
    const got = []
    for (let n = 0; n < ${places.length}; n++)
      got.push(await FolderLock.acquire(process.argv[1] + '/' + n).then(() => 1, () => 0))
    console.log(JSON.stringify(got))`
  const rivals = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', race, folder]),
  )
  for (const { stdin } of rivals) stdin.write('go\n')
  const answers = await Promise.all(
    rivals.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0]))),
  )
  for (const rival of rivals) rival.kill('SIGKILL')
  const holders = places.map((_, n) => answers.filter((got) => got[n] === 1).length)
  assert.deepEqual(holders, Array(places.length).fill(1))
  for (const place of places) assert.deepEqual(readdirSync(place), ['lock'])
})

test('a process that died while replacing a stale lock does not block others', async () => {
  const stale = staleHolder()
  writeFileSync(join(folder, 'lock'), stale)
  const right = createHash('sha256').update(stale).digest('hex').slice(0, 16)
  writeFileSync(join(folder, `lock.${right}`), staleHolder('y'))
  const lock = await FolderLock.acquire(folder)
  assert.deepEqual(readdirSync(folder), ['lock'])
  lock.release()
})

test('a lock of a process that had our id before us is taken over', async () => {
  const before = { pid: process.pid, host: hostname(), started: 'another boot', nonce: 'x' }
  writeFileSync(join(folder, 'lock'), JSON.stringify(before))
  const lock = await FolderLock.acquire(folder)
  lock.release()
})

test('a lock that was truncated while it was written has no holder', async () => {
  writeFileSync(join(folder, 'lock'), '{"pid": 1')
  const lock = await FolderLock.acquire(folder)
  assert.equal(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid, process.pid)
  assert.deepEqual(readdirSync(folder), ['lock'])
  lock.release()
  assert.deepEqual(readdirSync(folder), [])
})

test('an empty lock is one that is being written', async () => {
  const file = join(folder, 'lock')
  writeFileSync(file, '')
  const text = JSON.stringify({ pid: 7, host: 'elsewhere', started: '', nonce: 'x' })
  setTimeout(() => writeFileSync(file, text), 50)
  await assert.rejects(FolderLock.acquire(folder), /process 7 on host elsewhere/)
})

test('a process is known by its boot and its start as well', { skip: !isLinux }, () => {
  assert.match(startOf(process.pid) ?? '', /^[0-9a-f-]{36} \d+$/)
  assert.equal(startOf(2 ** 30), null)
})

test('the first process of a machine may hold a lock, and no process has the id 0', async () => {
  const file = join(folder, 'lock')
  const held = { host: hostname(), space: ownSpace(), started: startOf(1) ?? '', nonce: 'x' }
  writeFileSync(file, JSON.stringify({ ...held, pid: 1 }))
  if (process.platform !== 'win32' && process.pid !== 1)
    await assert.rejects(FolderLock.acquire(folder), /in use by process 1\. Stop/)
  for (const pid of [0, -1, 1.5, '1', null]) {
    writeFileSync(file, JSON.stringify({ ...held, pid }))
    const lock = await FolderLock.acquire(folder)
    lock.release()
  }
})

test('a lock of another host counts while it is touched', async () => {
  const file = join(folder, 'lock')
  writeFileSync(file, JSON.stringify({ pid: 7, host: 'elsewhere', started: '', nonce: 'x' }))
  await assert.rejects(FolderLock.acquire(folder), /process 7 on host elsewhere/)
  const past = new Date(Date.now() - 60_000)
  utimesSync(file, past, past)
  const lock = await FolderLock.acquire(folder)
  lock.release()
})

test('a lock of another container with our host name counts while it is touched', async () => {
  const file = join(folder, 'lock')
  const own = { pid: process.pid, host: hostname(), started: '', nonce: 'x' }
  writeFileSync(file, JSON.stringify({ ...own, space: 'pid:[1]' }))
  const touching = setInterval(() => utimesSync(file, new Date(), new Date()), 200)
  await assert.rejects(FolderLock.acquire(folder), /in use by process \d+ in another container/)
  clearInterval(touching)
  const past = new Date(Date.now() - 60_000)
  utimesSync(file, past, past)
  const lock = await FolderLock.acquire(folder)
  assert.equal(lock.tookOver, true)
  lock.release()
  let now = 0
  mock.method(performance, 'now', () => (now += 1_000))
  const ahead = new Date(Date.now() + 3_600_000)
  writeFileSync(file, JSON.stringify({ ...own, space: 'pid:[1]' }))
  utimesSync(file, ahead, ahead)
  const again = await FolderLock.acquire(folder)
  again.release()
})

test('a killed process that its parent has not waited for yet holds nothing', async () => {
  // The shell becomes a program that never waits for its children.
  const holder = program('setInterval(() => {}, 1000)').map(quoted).join(' ')
  const script = `${quoted(process.execPath)} ${holder} & exec sleep 60`
  const parent = spawn('sh', ['-c', script])
  try {
    await once(parent.stdout, 'data')
    const { pid } = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))
    process.kill(pid, 'SIGKILL')
    const lock = await FolderLock.acquire(folder)
    process.kill(pid, 0)
    lock.release()
  } finally {
    parent.kill('SIGKILL')
  }
})

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Both clocks are stopped until a test moves one. */
function stoppedClocks(): { wall: number; steady: number } {
  const clocks = { wall: Date.now(), steady: 5_000 }
  mock.method(Date, 'now', () => clocks.wall)
  mock.method(performance, 'now', () => clocks.steady)
  return clocks
}

// A pause may stop either clock.
for (const clock of ['wall', 'steady'] as const)
  test(`a paused process verifies its lock again, and notices its loss (${clock})`, async () => {
    const clocks = stoppedClocks()
    const lost: string[] = []
    const first = await FolderLock.acquire(folder, 'one')
    first.onLost = ({ code }) => lost.push(code)
    const past = new Date(Date.now() - 60_000)
    utimesSync(join(folder, 'lock'), past, past)
    const second = await FolderLock.acquire(folder, 'two')
    assert.deepEqual([first.tookOver, second.tookOver], [false, true])
    clocks[clock] += 999
    first.prove()
    clocks[clock] += 1
    assert.throws(() => first.prove(), {
      code: 'FOLDER_LOST',
      message: /another took over the data/,
    })
    assert.throws(() => first.prove(), { code: 'FOLDER_LOST' })
    assert.deepEqual(lost, ['FOLDER_LOST'])
    second.prove()
    first.release()
    clocks[clock] += 1_000
    second.prove()
    second.release()
  })

test('a proof is good for a second from when it was given', async () => {
  const clocks = stoppedClocks()
  const lock = await FolderLock.acquire(folder)
  clocks.steady += 1_000
  lock.prove()
  rmSync(join(folder, 'lock'))
  clocks.steady += 999
  lock.prove()
  clocks.steady += 1
  assert.throws(() => lock.prove(), { code: 'FOLDER_LOST' })
  lock.release()
})

test('a holder touches its lock every five seconds, and notices its loss', async () => {
  mock.timers.enable({ apis: ['setInterval'] })
  const file = join(folder, 'lock')
  const lost: unknown[] = []
  const lock = await FolderLock.acquire(folder)
  lock.onLost = ({ code, cause }) => lost.push([code, (cause as NodeJS.ErrnoException).code])
  const past = new Date(Date.now() - 60_000)
  utimesSync(file, past, past)
  mock.timers.tick(4_999)
  assert.equal(Math.round(statSync(file).mtimeMs), past.getTime())
  mock.timers.tick(1)
  assert.ok(statSync(file).mtimeMs > past.getTime() + 50_000)
  rmSync(file)
  mock.timers.tick(5_000)
  mock.timers.tick(5_000)
  assert.deepEqual(lost, [['FOLDER_LOST', 'ENOENT']])
  assert.throws(() => lock.prove(), { code: 'FOLDER_LOST' })
  lock.release()
  const again = await FolderLock.acquire(folder)
  again.onLost = ({ code }) => lost.push([code])
  again.release()
  mock.timers.tick(5_000)
  assert.equal(lost.length, 1)
})
