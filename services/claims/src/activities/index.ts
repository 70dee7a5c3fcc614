/** The steps of a claim's own workflow. */
import type { Sql } from '@carecover/platform';
import type { CareForClaims, ClaimSteps } from '@carecover/workflow-claim';
import { adjudicationSteps } from './adjudication';
import { endingSteps } from './ending';
import { informationSteps } from './information';
import { submissionSteps } from './submission';
import { viewSteps } from './view';

export function claimSteps(sql: Sql, sessionForClaim: CareForClaims['sessionForClaim']): ClaimSteps {
  return {
    ...viewSteps(sql),
    ...submissionSteps(sql, sessionForClaim),
    ...informationSteps(sql),
    ...adjudicationSteps(sql),
    ...endingSteps(sql),
  };
}
