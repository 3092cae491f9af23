// Dialogs that are loaded, together, when one of them is first opened.

export { AlertsDialog } from '../chart/alerts-dialog.tsx'
export { EditDialog } from '../chart/edit-dialog.tsx'
export { IndicatorsDialog } from '../chart/indicators-dialog.tsx'
export { KeysDialog } from './keys-dialog.tsx'
export { SettingsDialog } from './settings-dialog.tsx'
export { ShortcutsDialog } from './shortcuts-dialog.tsx'
export { WhyDialog } from './why-dialog.tsx'
export { WithdrawDialog } from './withdraw-dialog.tsx'
