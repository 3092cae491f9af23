// `openperp diff`: what differs between two histories.

import { command } from '../../frame/command.ts'
import { dataFolderOf, onData } from '../data-option.ts'
import { differenceLines } from './difference-lines.ts'

export const diff = command({
  name: 'diff',
  group: 'data',
  summary: 'Compare the histories of two data folders, and where they end',
  about:
    'Plays both from the first entry that both have: the first entry that differs, with its ' +
    'command and both results; balance, positions, fees and funding of each account that ' +
    'differs; fills and liquidations that only one has; mark and open interest of markets, and ' +
    'the insurance fund. The exit code is 0 if there is no difference, and 1 if there is one. ' +
    'Both exchanges may be running.',
  arguments: [
    { name: 'a', about: 'data folder', required: true },
    { name: 'b', about: 'data folder', required: true },
  ],
  options: {},
  examples: ['openperp diff data incident', 'openperp diff backup data --json'],
  async run({ words, screen }) {
    const [a, b] = words.map((word) => dataFolderOf(word, {})) as [string, string]
    const { diffHistories } = await import('../../../lab/diff/diff.ts')
    const { FolderHistory } = await import('../../../lab/history.ts')
    const onProgress = (part: number, seq: number) =>
      screen.progress(`diff  ${part === 0 ? a : b}, entry ${seq}`)
    const compare = async () =>
      diffHistories(new FolderHistory(a), new FolderHistory(b), onProgress)
    // The exit code 1 says that they differ.
    const difference = await onData(compare, 'misused')
    return {
      json: difference,
      lines: differenceLines(difference),
      end: difference.isEqual ? ('yes' as const) : ('refused' as const),
    }
  },
})
