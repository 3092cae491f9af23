// The part of sodium-native that we call; the package has no types of its own.
declare module 'sodium-native' {
  const sodium: {
    crypto_sign_verify_detached(
      signature: Uint8Array,
      message: Uint8Array,
      publicKey: Uint8Array,
    ): boolean
  }
  export default sodium
}
