// Collects the rows of an event channel. Rows of the same command share a frame.

import type { Topic } from '../topic.ts'

export class CommandRows {
  private readonly topic: Topic
  private rows: string[] = []
  private li = 0

  constructor(topic: Topic) {
    this.topic = topic
  }

  add(seq: number, row: unknown): void {
    if (seq !== this.li) this.queue()
    this.li = seq
    this.rows.push(JSON.stringify(row))
  }

  queue(): void {
    if (this.rows.length > 0) this.topic.queue({ data: `[${this.rows.join()}]`, li: this.li })
    this.rows = []
  }
}
