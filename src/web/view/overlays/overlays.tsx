import { AlertsDialog } from '../chart/alerts-dialog.tsx'
import { EditDialog } from '../chart/edit-dialog.tsx'
import { IndicatorsDialog } from '../chart/indicators-dialog.tsx'
import { useTerminal } from '../use-terminal.ts'
import { CancelAllDialog } from './cancel-all-dialog.tsx'
import { ConfirmDialog, OrderDialog } from './confirm-dialogs.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { LevelsDialog } from './levels-dialog.tsx'
import { LeverageDialog } from './leverage-dialog.tsx'
import { MarketList } from './market-list.tsx'
import { Palette } from './palette.tsx'
import { ClosingDialog, MarginDialog } from './position-dialogs.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { WhyDialog } from './why-dialog.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

export function Overlays() {
  const overlay = useTerminal().overlay.value
  if (overlay === null) return null
  switch (overlay.show) {
    case 'markets':
      return <MarketList />
    case 'keys':
      return <KeysDialog />
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
      return <WhyDialog what={overlay.what} />
    default:
      overlay satisfies never
      return null
  }
}
