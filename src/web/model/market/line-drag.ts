// Dragging a line of the chart: when a movement counts as a drag, and its distance. Small movements
// during a click are ignored. A finger scrolls the page unless it rests on the label first.

/** Movements up to this number of pixels are ignored. */
const slack = 5
/** Time in ms that a finger must rest before it drags. */
export const restMs = 450

type Point = Readonly<{ x: number; y: number }>

export class LineDrag {
  private grabbed: Point | null = null
  private resting: ReturnType<typeof setTimeout> | undefined

  /** Starts a possible drag at this point. `onRested` is called once a finger has rested for
   *  `restMs`. */
  grab(point: Point, byFinger: boolean, onRested: () => void): void {
    this.end()
    this.grabbed = point
    if (!byFinger) return
    this.resting = setTimeout(() => {
      this.resting = undefined
      onRested()
    }, restMs)
  }

  /** Whether the line follows the pointer, so that the page must not scroll. */
  get follows(): boolean {
    return this.grabbed !== null && this.resting === undefined
  }

  /** Distance in pixels that the line was moved down; `null` if it is not a drag. */
  by({ x, y }: Point): number | null {
    if (this.grabbed === null) return null
    const down = y - this.grabbed.y
    if (this.follows) return Math.abs(down) < slack ? null : down
    if (Math.hypot(down, x - this.grabbed.x) >= slack) this.end()
    return null
  }

  end(): void {
    clearTimeout(this.resting)
    this.resting = undefined
    this.grabbed = null
  }
}
