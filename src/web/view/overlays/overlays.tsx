import { AlertsDialog } from '../chart/alerts-dialog.tsx'
import { EditDialog } from '../chart/edit-dialog.tsx'
import { IndicatorsDialog } from '../chart/indicators-dialog.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { useTerminal } from '../use-terminal.ts'
import { CancelAllDialog } from './cancel-all-dialog.tsx'
import { ConfirmDialog, OrderDialog } from './confirm-dialogs.tsx'
import { LevelsDialog } from './levels-dialog.tsx'
import { LeverageDialog } from './leverage-dialog.tsx'
import { MarketList } from './market-list.tsx'
import { Palette } from './palette.tsx'
import { ClosingDialog, MarginDialog } from './position-dialogs.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

/** Large dialogs are loaded when they are first opened. */
const keysDialog = () =>
  import('./keys-dialog.tsx').then(({ KeysDialog }) => ({ default: KeysDialog }))
const whyDialog = () => import('./why-dialog.tsx').then(({ WhyDialog }) => ({ default: WhyDialog }))

export function Overlays() {
  const overlay = useTerminal().overlay.value
  if (overlay === null) return null
  switch (overlay.show) {
    case 'markets':
      return <MarketList />
    case 'keys':
      return <Lazy load={keysDialog} />
    case 'settings':
      return <SettingsDialog />
    case 'palette':
      return <Palette />
    case 'shortcuts':
      return <ShortcutsDialog />
    case 'leverage':
      return <LeverageDialog />
    case 'withdraw':
      return <WithdrawDialog />
    case 'cancel-all':
      return <CancelAllDialog />
    case 'indicators':
      return <IndicatorsDialog />
    case 'alerts':
      return <AlertsDialog />
    case 'edit':
      return <EditDialog line={overlay.line} />
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
      return <Lazy load={whyDialog} what={overlay.what} />
    default:
      overlay satisfies never
      return null
  }
}
