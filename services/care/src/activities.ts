/** The steps of the claim and pre-authorization workflows in care. Each step is idempotent, because it is repeated after a crash. */

import { storedTenant } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { CareForClaims } from '@carecover/workflow-claim';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { confirmBooking, withdrawConfirmation } from './use-cases/confirm-booking';
import { recordSessions } from './use-cases/record-sessions';
import { sessionForClaim, sessionsForClaims } from './use-cases/session-for-claim';

export function careActivities(sql: Sql): StepHandlers<CareForClaims & CareForPreauthorizations> {
  return {
    sessionForClaim: ({ tenant, sessionId }) => sessionForClaim(sql, storedTenant(tenant), sessionId),

    sessionsForClaims: ({ tenant, sessionIds }) => sessionsForClaims(sql, storedTenant(tenant), sessionIds),

    recordSessions: (input) => recordSessions(sql, input),

    confirmBooking: ({ tenant, ...approval }) => confirmBooking(sql, storedTenant(tenant), approval),

    withdrawConfirmation: ({ tenant, ...approval }) =>
      withdrawConfirmation(sql, storedTenant(tenant), approval),
  };
}
