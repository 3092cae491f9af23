// Header names: the sequence number of a reply's data, and the oldest one that a request accepts.

export const seqHeader = 'openperp-seq'
export const minSeqHeader = 'openperp-min-seq'
