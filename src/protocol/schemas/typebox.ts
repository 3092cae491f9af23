// The only file that imports the schema library. The build bundles the library here, because
// loading its roughly seven hundred modules took a third of the startup time.

export { type Static, type TSchema, Type } from 'typebox'
export { Compile } from 'typebox/compile'
export { Check, Errors } from 'typebox/value'
