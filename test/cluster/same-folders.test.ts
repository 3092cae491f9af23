// The final check of the torture: a folder is part of the chain, or the difference is named.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { quote } from '../../src/units/units.ts'
import { Generator } from '../programs/differential/generator.ts'
import { requireSameFolders } from '../programs/torture/nodes/same-folders.ts'
import { ClusterNode } from '../support/postgres/cluster-node.ts'
import { sharedDatabases, sharedFolder, test } from '../support/postgres/database-tests.ts'

const databases = sharedDatabases(2)
const { genesis } = new Generator(5, 0).world

type Scene = Readonly<{
  root: string
  url: string
  start: (name: string) => Promise<ClusterNode>
  named: (...names: readonly string[]) => readonly { name: string; folder: string }[]
}>

async function scene(name: string): Promise<Scene> {
  const [root, url] = [sharedFolder(name), await databases.empty()]
  const folderOf = (node: string) => join(root, node)
  return {
    root,
    url,
    start: (node) => ClusterNode.start({ folder: folderOf(node), url, genesis, now: () => 0 }),
    named: (...names) => names.map((node) => ({ name: node, folder: folderOf(node) })),
  }
}

/** Each is an entry, and leads to another state. */
async function deposit(node: ClusterNode, ...amounts: readonly number[]): Promise<void> {
  for (const amount of amounts)
    await node.submit({
      ...{ type: 'Deposit', address: 'ann', amount: quote(amount) },
      reference: `${amount}`,
    })
}

test('a folder that is behind is part of the chain, and reaches its state', async () => {
  const { start, named, ...chain } = await scene('behind')
  const [one, two] = [await start('one'), await start('two')]
  await one.lead('one')
  await deposit(one, 1, 2, 3)
  await two.follow()
  await deposit(one, 4, 5)
  await two.close()
  await one.close()
  const seqs: number[] = []
  const state = await requireSameFolders(named('one', 'two'), {
    ...chain,
    acknowledged: 5,
    look: ({ firstSeq }) => seqs.push(firstSeq),
  })
  assert.deepEqual([state, seqs], [{ seq: 5, hash: one.hash }, [1, 2, 3, 4, 5]])
})

test('an acknowledged entry that the chain lacks is named', async () => {
  const { start, named, ...chain } = await scene('lost')
  const one = await start('one')
  await one.lead('one')
  await deposit(one, 1, 2)
  await one.close()
  await assert.rejects(
    requireSameFolders(named('one'), { ...chain, acknowledged: 3 }),
    /seq 3 was acknowledged, and the chain ends with seq 2/,
  )
})

for (const [name, amounts, says] of [
  ['ahead', [1, 2, 3], /^Ass.*: other has seq 3, and the chain ends with seq 2$/],
  [
    'different',
    [1, 7],
    /^Ass.*: other after seq 2 has the seal .{64}, and the chain .* after seq 2$/,
  ],
] as const)
  test(`a folder that is ${name} fails with both numbers`, async () => {
    const { start, named, ...chain } = await scene(name)
    const one = await start('one')
    await one.lead('one')
    await deposit(one, 1, 2)
    await one.close()
    const elsewhere = await scene(`${name}-elsewhere`)
    const other = await elsewhere.start('other')
    await other.lead('other')
    await deposit(other, ...amounts)
    await other.close()
    const nodes = [...named('one'), ...elsewhere.named('other')]
    await assert.rejects(requireSameFolders(nodes, { ...chain, acknowledged: 2 }), (error) => {
      assert.match(String(error), says)
      return true
    })
  })
