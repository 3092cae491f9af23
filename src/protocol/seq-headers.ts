// The place in history that a reply is true as of, and the oldest that a request takes.

export const seqHeader = 'openperp-seq'
export const minSeqHeader = 'openperp-min-seq'
