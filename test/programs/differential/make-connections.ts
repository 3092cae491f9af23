// Connections that cancel when they end, and cancels at a time.

import {
  drawAccount,
  drawProof,
  freshName,
  ips,
  type Made,
  type Maker,
  type Making,
} from './making.ts'

/** Names enough to meet the limit, few enough to arm one again; by agents often. */
export function armConnection(making: Making): Made {
  const { random, picture } = making
  const owner = random.chance(0.5) ? random.any(picture.traders.slice(0, 2)) : undefined
  const account = owner?.id ?? drawAccount(making)
  const agents = picture.accounts.get(account)?.agents ?? []
  const proof = drawProof(making, account, 'ArmConnection')
  const agent = random.chance(0.6) ? random.any(agents) : undefined
  const hash = freshName(making, 'arming')
  const times = { signedAtMs: making.atMs, expiresAtMs: making.atMs + 30_000 }
  return {
    type: 'ArmConnection',
    account,
    proof: agent === undefined ? proof : { textHash: hash, ...times, agent, ip: random.pick(ips) },
    connection: `connection-${random.below(24)}`,
    keepProtective: random.chance(0.5),
  }
}

export function ofConnection(type: 'DisarmConnection' | 'EndConnection'): Maker {
  return (making) => {
    const { random, picture } = making
    const armed = random.any(picture.traders.filter((each) => each.armed.length > 0))
    const account = random.chance(0.9) ? (armed?.id ?? 4) : drawAccount(making)
    const connection = random.chance(0.9) ? (random.any(armed?.armed ?? []) ?? 'none') : 'none'
    return { type, account, connection }
  }
}

export function scheduleCancel(making: Making): Made {
  const { random } = making
  const account = drawAccount(making)
  const kind = random.weighted({ soon: 70, edge: 10, gone: 10, early: 10 })
  const times = {
    soon: making.atMs + random.between(5_000, 40_000),
    edge: making.atMs + 5_000,
    gone: null,
    early: making.atMs + random.between(-10_000, 4_999),
  }
  return {
    type: 'ScheduleCancel',
    account,
    proof: drawProof(making, account, 'ScheduleCancel'),
    time: times[kind],
    keepProtective: random.chance(0.5),
  }
}
