// The end of the process: in order if that does not take too long, and never without a word.

/** How long stopping may take before the process exits regardless. The supervisor (deploy/) waits
 *  longer. */
export const stopMsMax = 60_000

export type Stopping = Readonly<{
  /** Says what it waits for, whenever that changes. */
  close(onWait: (waitsFor: string) => void): Promise<void>
  /** With which the process ends when all went well. */
  code: number
  log: Readonly<{ fatal(facts: object, text: string): void }>
  exit(code: number): void
  msMax: number
}>

export function stopInOrder({ close, code, log, exit, msMax }: Stopping): void {
  let waitsFor = 'the end of the drain'
  const noteWait = (what: string) => {
    waitsFor = what
  }
  setTimeout(() => {
    const late = `stopping took longer than ${msMax / 1_000} s and still waits for ${waitsFor}`
    log.fatal({ waitsFor }, `${late}; ending now: ${nothingLost}`)
    exit(1)
  }, msMax).unref()
  close(noteWait).then(
    () => exit(code),
    (error: unknown) => {
      log.fatal({ err: error, waitsFor }, `could not stop in order: ${nothingLost}`)
      exit(1)
    },
  )
}

const nothingLost = 'everything acknowledged is on disk, and the next start recovers'
