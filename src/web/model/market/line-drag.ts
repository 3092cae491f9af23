// Dragging a line of the chart: when a movement counts as a drag, and how far it goes. A slipped
// click is not a drag, and a finger scrolls the page unless it has rested on the label first.

/** Movements up to this number of pixels are ignored. */
const slack = 5
/** Time in ms that a finger rests before it drags. */
export const restMs = 450

type Point = Readonly<{ x: number; y: number }>

export class LineDrag {
  private grabbed: Point | null = null
  private resting: ReturnType<typeof setTimeout> | undefined

  /** `onRested` is called when a finger has rested long enough. */
  grab(point: Point, byFinger: boolean, onRested: () => void): void {
    this.end()
    this.grabbed = point
    if (!byFinger) return
    this.resting = setTimeout(() => {
      this.resting = undefined
      onRested()
    }, restMs)
  }

  /** Whether it follows the pointer: then the page must not scroll. */
  get follows(): boolean {
    return this.grabbed !== null && this.resting === undefined
  }

  /** How far down the line was moved; `null` if it is not a drag. */
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
