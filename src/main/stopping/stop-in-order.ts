// Shuts the process down in order. After `msMax` it logs what it is still waiting for and exits
// with code 1.

/** Maximum duration of a stop in ms, after which the process exits regardless. The supervisor in
 *  deploy/ allows more time. */
export const stopMsMax = 60_000

export type Stopping = Readonly<{
  /** Closes the exchange; calls `onWait` with each component that it waits for. */
  close(onWait: (waitsFor: string) => void): Promise<void>
  /** Exit code after a successful stop. */
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
