// Headers: the entry that a reply is true as of, and the oldest entry that a request accepts.

export const seqHeader = 'openperp-seq'
export const minSeqHeader = 'openperp-min-seq'
