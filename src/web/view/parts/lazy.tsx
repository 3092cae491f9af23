// Loads a part of the page when it is first shown. Until then, and if it cannot be loaded, nothing
// is shown in its place.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Loaded<P> = Readonly<{ default: ComponentType<P> }>

export function Lazy<P extends object>({
  load,
  ...props
}: { load: () => Promise<Loaded<P>> } & P): preact.JSX.Element | null {
  const [loaded, setLoaded] = useState<Loaded<P> | null>(null)
  useEffect(() => {
    let isShown = true
    // The next visit tries again, as a new version of the page may have replaced the file.
    load().then(
      (found) => isShown && setLoaded(found),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [load])
  if (loaded === null) return null
  const Part = loaded.default as ComponentType<object>
  return <Part {...props} />
}
