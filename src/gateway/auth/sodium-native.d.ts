// The parts of sodium-native that this project uses; the package has no types.
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
