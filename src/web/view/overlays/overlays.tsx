import { Lazy } from '../parts/lazy.tsx'
import { useTerminal } from '../use-terminal.ts'
import { CancelAllDialog } from './cancel-all-dialog.tsx'
import { ConfirmDialog, OrderDialog } from './confirm-dialogs.tsx'
import { LevelsDialog } from './levels-dialog.tsx'
import { LeverageDialog } from './leverage-dialog.tsx'
import { MarketList } from './market-list.tsx'
import { Palette } from './palette.tsx'
import { ClosingDialog, MarginDialog } from './position-dialogs.tsx'

const rare = () => import('./rare-dialogs.tsx')
const loads = {
  keys: () => rare().then((all) => ({ default: all.KeysDialog })),
  settings: () => rare().then((all) => ({ default: all.SettingsDialog })),
  shortcuts: () => rare().then((all) => ({ default: all.ShortcutsDialog })),
  withdraw: () => rare().then((all) => ({ default: all.WithdrawDialog })),
  indicators: () => rare().then((all) => ({ default: all.IndicatorsDialog })),
  alerts: () => rare().then((all) => ({ default: all.AlertsDialog })),
} as const
const editDialog = () => rare().then((all) => ({ default: all.EditDialog }))
const whyDialog = () => rare().then((all) => ({ default: all.WhyDialog }))

export function Overlays() {
  const overlay = useTerminal().overlay.value
  if (overlay === null) return null
  switch (overlay.show) {
    case 'markets':
      return <MarketList />
    case 'keys':
    case 'settings':
    case 'shortcuts':
    case 'withdraw':
    case 'indicators':
    case 'alerts':
      return <Lazy key={overlay.show} load={loads[overlay.show]} />
    case 'palette':
      return <Palette />
    case 'leverage':
      return <LeverageDialog />
    case 'cancel-all':
      return <CancelAllDialog />
    case 'edit':
      return <Lazy key="edit" load={editDialog} line={overlay.line} />
    case 'levels':
      return <LevelsDialog position={overlay.position} />
    case 'closing':
      return <ClosingDialog position={overlay.position} />
    case 'margin':
      return <MarginDialog position={overlay.position} />
    case 'confirm':
      return <ConfirmDialog {...overlay} />
    case 'order':
      return <OrderDialog request={overlay.request} />
    case 'why':
      return <Lazy key="why" load={whyDialog} what={overlay.what} />
    default:
      overlay satisfies never
      return null
  }
}
