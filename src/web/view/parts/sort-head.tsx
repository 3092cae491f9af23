// The heads of a table whose columns sort its rows.

import type { Signal } from '@preact/signals'
import { type Order, reordered } from '../../model/pages/sort.ts'

export type SortColumn<Key extends string> = Readonly<{
  key: Key
  label: string
  /** What it means, on hover. */
  title?: string
  /** Whether the column has names, which begin with the first and are left-aligned. */
  isName?: boolean
  /** CSS class, in addition to that of numbers. */
  class?: string
}>

type SortProps<Key extends string> = Readonly<{
  columns: readonly SortColumn<Key>[]
  order: Signal<Order<Key>>
}>

export function SortHeads<Key extends string>({ columns, order }: SortProps<Key>) {
  const { by, descending } = order.value
  return (
    <>
      {columns.map(({ key, label, title, isName = false, class: name = '' }) => {
        const sorts = key === by
        return (
          <th
            key={key}
            scope="col"
            class={`${isName ? '' : 'num'} ${name}`}
            aria-sort={sorts ? (descending ? 'descending' : 'ascending') : undefined}
          >
            <button
              type="button"
              class="sort"
              title={title}
              onClick={() => {
                order.value = reordered(order.peek(), key, isName)
              }}
            >
              {label}
              <span class={sorts ? `sorts ${descending ? 'falls' : 'rises'}` : ''} />
            </button>
          </th>
        )
      })}
    </>
  )
}

/** The same choice where the heads are hidden. */
export function SortSelect<Key extends string>({ columns, order }: SortProps<Key>) {
  const { by, descending } = order.value
  const find = (key: string) => columns.find((column) => column.key === key)!
  return (
    <div class="sort-select">
      <select
        class="select"
        aria-label="Sort by"
        value={by}
        onChange={({ currentTarget }) => {
          const { key, isName = false } = find(currentTarget.value)
          order.value = { by: key, descending: !isName }
        }}
      >
        {columns.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="icon-button"
        aria-label={descending ? 'Descending' : 'Ascending'}
        onClick={() => {
          order.value = reordered(order.peek(), by, false)
        }}
      >
        <span class={`sorts ${descending ? 'falls' : 'rises'}`} />
      </button>
    </div>
  )
}
