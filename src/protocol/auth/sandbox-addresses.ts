// Addresses of the two keys that every sandbox has; client/sandbox-keys.ts has the keys.

/** Names by address. */
export const sandboxAddresses: ReadonlyMap<string, string> = new Map([
  ['5UN3g58caoqx8QfMBaQpoX9uW4mHngAtD7e1f28dY4Ga', 'alice'],
  ['3NpFcnZn5632KeDnk2CpwpHafjfngeqQqXPgMFCopDPM', 'bob'],
])

/** Name of the token in the fragment of the terminal's address, which browsers do not send. */
export const sandboxTokenName = 'sandbox-token'
