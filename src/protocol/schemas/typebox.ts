// What we use of the schema library. The build puts the library itself into this file: as it comes,
// it is some seven hundred modules, and to load those took a third of a start. So no other file
// imports it.

export { type Static, type TSchema, Type } from 'typebox'
export { Compile } from 'typebox/compile'
export { Check, Errors } from 'typebox/value'
