// Ids inside the core: dense positive integers, with 0 for "none". Addresses and symbols are text
// at the edge and in account and market records, never on the hot path.

declare const identity: unique symbol
type Identity<Name extends string> = number & { readonly [identity]: Name }

export type AccountId = Identity<'AccountId'>
export type MarketId = Identity<'MarketId'>
/** Orders, triggers and algos share one growing sequence. */
export type OrderId = Identity<'OrderId'>
export type WithdrawalId = Identity<'WithdrawalId'>
