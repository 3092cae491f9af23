// What a token of the admin plane may do.

export const adminScopes = ['read', 'markets', 'accounts', 'money', 'prices', 'operate'] as const
export type AdminScope = (typeof adminScopes)[number]
