import { farPercent, muchOfDepth } from '../../model/market/depth.ts'
import { percent } from '../../model/number-text.ts'
import { usual } from '../../model/preferences.ts'
import { Segments } from '../parts/choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useTerminal } from '../use-terminal.ts'

export function SettingsDialog() {
  const terminal = useTerminal()
  const { preferences } = terminal
  const { theme, colours, confirm, caution, sound } = preferences.now.value
  const { book, ticket, bottom, bookShare } = usual
  return (
    <Dialog title="Settings" onClose={() => terminal.close()}>
      <Segments
        label="Theme"
        value={theme}
        options={[
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
        ]}
        onChange={(next) => preferences.change({ theme: next })}
      />
      <Segments
        label="Colours of up and down"
        value={colours}
        options={[
          { value: 'usual', label: 'Green and red' },
          { value: 'blind', label: 'Blue and orange' },
        ]}
        onChange={(next) => preferences.change({ colours: next })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={confirm}
          onChange={({ currentTarget }) => preferences.change({ confirm: currentTarget.checked })}
        />
        Ask before an order is sent
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={caution}
          onChange={({ currentTarget }) => preferences.change({ caution: currentTarget.checked })}
        />
        Ask before Reverse, Close all, market orders above {percent(muchOfDepth, 0)} of the depth
        and limit orders {farPercent} % beyond the mark
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={sound}
          onChange={({ currentTarget }) => preferences.change({ sound: currentTarget.checked })}
        />
        A sound with each notice
      </label>
      <div class="line">
        <button
          type="button"
          class="button"
          onClick={() => preferences.change({ book, ticket, bottom, bookShare })}
        >
          Reset layout
        </button>
        <button type="button" class="button" onClick={() => terminal.open({ show: 'shortcuts' })}>
          Keyboard shortcuts
        </button>
        <button type="button" class="button" onClick={() => terminal.open({ show: 'keys' })}>
          Keys
        </button>
      </div>
    </Dialog>
  )
}
