// A refusal as the event it becomes (CORE-4).

import type { Rejection } from '../../../src/core/rejections.ts'
import { emit } from './lookup.ts'
import { given } from './numbers.ts'
import type { Naive } from './state.ts'

export function emitRejected(naive: Naive, { name, numbers }: Rejection): void {
  const [first, second, third] = numbers
  emit(naive, {
    type: 'CommandRejected',
    rejection: name,
    first: given(first),
    second: given(second),
    third: given(third),
  })
}
