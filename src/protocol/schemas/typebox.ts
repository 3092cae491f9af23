// The schema library. The build bundles the library into this file, because it has some seven
// hundred modules, whose loading took a third of a start. So no other file imports it.

export { type Static, type TSchema, Type } from 'typebox'
export { Compile } from 'typebox/compile'
export { Check, Errors } from 'typebox/value'
