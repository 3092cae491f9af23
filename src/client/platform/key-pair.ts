// What an Ed25519 implementation gives for a seed of 32 bytes.

export type KeyPair = Readonly<{
  publicKey: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}>
