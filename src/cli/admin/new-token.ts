import { randomBytes } from 'node:crypto'

/** Of the admin plane. */
export const newToken = (): string => randomBytes(32).toString('base64url')
