// All operations of the admin plane.

import { type AdminName, adminApi } from '../../protocol/admin/admin-api.ts'
import { limitedRequests } from '../parameters/market-fields.ts'
import type { AdminAnswers, AdminOperation } from './admin-operation.ts'
import { incidentAnswers } from './incident-operations.ts'
import { journalAnswers } from './journal/journal-operation.ts'
import { listingAnswers } from './listing.ts'
import { lookAnswers } from './look-operations.ts'
import { marketAnswers } from './market-operations.ts'
import { brakeAnswers } from './money/brake-operations.ts'
import { creditAnswers } from './money/credit-operations.ts'
import { statementAnswers } from './money/statement-operation.ts'
import { treasuryAnswers } from './money/treasury-operation.ts'
import { withdrawalAnswers } from './money/withdrawal-operations.ts'
import { feeAnswers } from './money-operations.ts'
import { previewAnswers } from './preview-operation.ts'
import { priceAnswers } from './price-operations.ts'
import { reserveAnswers } from './reserve-operations.ts'
import { standingAnswers } from './standing-operations.ts'
import { venueAnswers } from './venue-operations.ts'
import { webhookAnswers } from './webhook-operations.ts'

const answers: AdminAnswers = {
  ...standingAnswers,
  ...lookAnswers,
  ...listingAnswers,
  ...marketAnswers,
  ...previewAnswers,
  ...creditAnswers,
  ...withdrawalAnswers,
  ...brakeAnswers,
  ...webhookAnswers,
  ...treasuryAnswers,
  ...reserveAnswers,
  ...feeAnswers,
  ...statementAnswers,
  ...venueAnswers,
  ...priceAnswers,
  ...incidentAnswers,
  ...journalAnswers,
}

const names = Object.keys(adminApi) as AdminName[]

export const adminOperations: readonly AdminOperation[] = names.map((name) => ({
  ...{ name, ...adminApi[name], answer: answers[name] },
  ...(name in limitedRequests && {
    request: limitedRequests[name as keyof typeof limitedRequests],
  }),
}))
