// The public entry `openperp/client`: what a program that trades here needs, in browser and Node.

export type { ReplyOf } from '../protocol/route-schemas.ts'
export type { RouteName } from '../protocol/routes.ts'
export { Client, type ClientOptions } from './client.ts'
export { ApiRefusal, NetworkFailure, TimeoutFailure, UnexpectedReply } from './errors.ts'
export { type Key, keyOfSecret, keyOfSeed, newKey, type Signer } from './key.ts'
export type { BatchAction, FieldsOf } from './methods.ts'
export type { Fetch } from './requests.ts'
export { sandboxKeys } from './sandbox-keys.ts'
export { signedBody } from './signed-body.ts'
