/** Every one that is equal. */
export function remove(list: string[] | undefined, text: string | null): void {
  if (list === undefined) return
  for (let at = list.indexOf(text ?? ''); at >= 0; at = list.indexOf(text ?? '')) list.splice(at, 1)
}
