// Writes a rejection as an event.

import type { Rejection } from '../commands/rejections.ts'
import type { EventLog } from './event-log.ts'

export function rejected(log: EventLog, { name, numbers }: Rejection): void {
  log.write({
    type: 'CommandRejected',
    rejection: name,
    first: numbers[0] ?? 0,
    second: numbers[1] ?? 0,
    third: numbers[2] ?? 0,
  })
}
