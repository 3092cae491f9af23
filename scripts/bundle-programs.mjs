// Bundles each program that runs as a separate process or thread. An exchange is a thousand
// modules, and opening and linking them takes longer than the rest of its start. Bundles are
// written to `programs` next to the modules, and one line in place of the program loads its bundle.
// They are made by rolldown, which keeps `const`: esbuild turns it into `var`, which makes the
// engine 10 % slower.
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/** @param {string} zone a folder of sources, such as `src`
 *  @param {readonly string[]} programs their paths in it, without `.ts` */
export async function bundlePrograms(root, zone, programs) {
  const dist = join(root, 'dist')
  const out = join(dist, zone, 'programs')
  const bundle = await rolldown({
    input: Object.fromEntries(
      programs.map((path) => [basename(path), join(root, zone, `${path}.ts`)]),
    ),
    cwd: root,
    platform: 'node',
    external: /^[^./]/,
    plugins: [inPlace(root, dist, out)],
  })
  // Names of its parts follow from their content: those of the last build would stay.
  rmSync(out, { recursive: true, force: true })
  await bundle.write({ dir: out, entryFileNames: '[name].js', sourcemap: true })
  await bundle.close()
  for (const path of programs) {
    const file = join(dist, zone, `${path}.js`)
    const place = relative(dirname(file), join(out, `${basename(path)}.js`))
    writeFileSync(file, `import '${place.startsWith('.') ? place : `./${place}`}'\n`)
  }
}

/** Packages that were made into one file each; threads and modules load the same. */
export const bundled = ['src/protocol/schemas/typebox.js', 'src/gateway/packages.js']

/** Gives modules the location that they had before they were bundled. */
const inPlace = (root, dist, out) => {
  const built = (path) => join(dist, relative(root, path)).replace(/\.ts$/, '.js')
  return {
    name: 'in-place',
    resolveId(specifier, from) {
      if (from === undefined || !specifier.startsWith('.')) return null
      const file = built(join(dirname(from), specifier))
      if (!bundled.some((path) => join(dist, path) === file)) return null
      return { id: relative(out, file), external: 'absolute' }
    },
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null
      const place = `new URL('${relative(out, built(id))}', import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', place), map: null }
    },
  }
}
