// Words of an explanation that the command line and the terminal share.

import { documentOf } from './rule-documents.ts'

export const happenedHead = 'What happened'
export const pendingHead = 'What has not happened'

export const citation = (rule: string) => `(${rule}, ${documentOf(rule)})`

export const agreementText = ({ agrees, recorded }: { agrees: boolean; recorded: string }) =>
  agrees ? '= what history recorded' : `BUT HISTORY RECORDED ${recorded}`
