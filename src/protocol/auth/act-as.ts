// The header with which a request to a fork acts for any account, without a signature.

export const actAsHeader = 'x-act-as'
