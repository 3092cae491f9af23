// Links to the pages: in the top bar where there is room, otherwise in a menu. On a phone they also
// replace the tabs of the trade page below the other pages.

import { pages, pathOf } from '../model/pages/pages.ts'
import { MenuIcon } from './parts/icons.tsx'
import { Menu } from './parts/menu.tsx'
import { useTerminal } from './use-terminal.ts'

export function PageLinks({ label, class: name }: { label: string; class: string }) {
  const { page, markets } = useTerminal()
  return (
    <nav class={name} aria-label={label}>
      {pages.map((each) => (
        <a
          key={each.page}
          href={pathOf(each.page, markets.symbol.value)}
          aria-current={each.page === page.value ? 'page' : undefined}
        >
          {each.label}
        </a>
      ))}
    </nav>
  )
}

export function PageMenu() {
  const { page } = useTerminal()
  return (
    <div class="page-menu">
      <Menu
        label="Pages"
        items={pages.map((each) => ({
          id: each.page,
          label: each.label,
          radio: true,
          checked: each.page === page.value,
          act: () => {
            page.value = each.page
          },
        }))}
      >
        <MenuIcon />
      </Menu>
    </div>
  )
}
