// Resolves modules as a bundler for browsers does, refuses what a browser does not have, and hides
// Node's own globals from every module. Loaded modules are reported through the port.

import type { InitializeHook, LoadHook, ResolveHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'

let port: MessagePort

export const initialize: InitializeHook<{ port: MessagePort }> = (given) => {
  port = given.port
}

/** The platform's own `fetch` needs them, so they are only hidden. */
const ofNodeAlone = ['process', 'Buffer', 'global', 'setImmediate', 'require', 'module'].map(
  (name) => `${name} = undefined`,
)
const ofNode = ['node', 'node-addons', 'module-sync']

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const conditions = context.conditions.filter((each) => !ofNode.includes(each))
  const found = await nextResolve(specifier, { ...context, conditions: [...conditions, 'browser'] })
  if (found.url.startsWith('node:'))
    throw new Error(`${context.parentURL} imports ${specifier}, which no browser has`)
  return found
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  const text = String(loaded.source)
  port.postMessage({ url, bytes: text.length })
  return { ...loaded, source: `const ${ofNodeAlone.join(', ')};${text}` }
}
