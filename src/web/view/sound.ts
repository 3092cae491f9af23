// Plays a short tone for each notice, if enabled. The browser generates it without a file. A notice
// that stays is also shown by the browser while the page is in the background, if that is allowed.

import type { Terminal } from '../model/terminal.ts'

const tones = { plain: 660, good: 880, warning: 520, bad: 330 } as const
const seconds = 0.12

export function soundNotices({ notices, preferences }: Terminal): void {
  let context: AudioContext | null = null
  notices.onNotice = ({ kind, title, text, stays }) => {
    if (stays && document.hidden && 'Notification' in globalThis)
      if (Notification.permission === 'granted') new Notification(title, { body: text })
    if (!preferences.now.peek().sound) return
    context ??= new AudioContext()
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = tones[kind]
    volume.gain.setValueAtTime(0.08, context.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds)
    tone.connect(volume).connect(context.destination)
    tone.start()
    tone.stop(context.currentTime + seconds)
  }
}
