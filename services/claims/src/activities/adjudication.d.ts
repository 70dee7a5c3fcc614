import { type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
type AdjudicationSteps = Pick<ClaimSteps, 'prepareAdjudication' | 'commitAdjudication' | 'dropInHand'>;
export declare function adjudicationSteps(sql: Sql): AdjudicationSteps;
export {};
