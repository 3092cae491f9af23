// Times of the charts. The drawing library has no time zones and requires rising times, which local
// time violates in the repeated hour of autumn. It therefore gets UTC, and labels are converted to
// local time here.

/** Converts to seconds in UTC. */
export function chartSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}

/** Whether candles are days. Daily candles are days in UTC, whatever the user's time zone. */
export function isDaily(interval: string | undefined): boolean {
  return interval === '1d' || interval === '1w' || interval === '1M'
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (number: number) => String(number).padStart(2, '0')

type Parts = Readonly<{ year: number; month: number; day: number; clock: string; seconds: number }>

function partsOf(time: number, daily: boolean): Parts {
  const date = new Date(time * 1_000)
  if (daily)
    return {
      ...{ year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() },
      ...{ clock: '00:00', seconds: 0 },
    }
  return {
    ...{ year: date.getFullYear(), month: date.getMonth(), day: date.getDate() },
    clock: `${two(date.getHours())}:${two(date.getMinutes())}`,
    seconds: date.getSeconds(),
  }
}

/** The label of the crosshair. */
export function pointText(time: number, daily: boolean): string {
  const { year, month, day, clock } = partsOf(time, daily)
  const date = `${day} ${months[month]} ${year}`
  return daily ? date : `${date} ${clock}`
}

/** Label of the time axis: a date where a local day begins, otherwise the time. `opensDay`: the
 *  library marks midnight UTC. If that is another hour in local time, the label has both. */
export function markText(time: number, opensDay: boolean, daily: boolean): string {
  const { year, month, day, clock, seconds } = partsOf(time, daily)
  if (clock === '00:00' && seconds === 0) {
    if (day > 1) return String(day)
    return month === 0 ? String(year) : months[month]!
  }
  if (opensDay) return `${day} ${clock}`
  return seconds === 0 ? clock : `${clock}:${two(seconds)}`
}
