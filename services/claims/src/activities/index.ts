/** Everything that the queue `claims` does: the steps of a claim's own workflow, and what payments tells of money. */
import type { Engine, Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
import { adjudicationSteps } from './adjudication';
import { endingSteps } from './ending';
import { informationSteps } from './information';
import { remittanceSteps } from './remittances';
import { submissionSteps } from './submission';
import { viewSteps } from './view';

export function claimsActivities(sql: Sql, engine: Engine): ClaimSteps & ClaimsForRemittances {
  return {
    ...viewSteps(sql),
    ...submissionSteps(sql),
    ...informationSteps(sql),
    ...adjudicationSteps(sql),
    ...endingSteps(sql),
    ...remittanceSteps(sql, engine),
  };
}
