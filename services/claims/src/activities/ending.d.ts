import { type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
type EndingSteps = Pick<ClaimSteps, 'prepareReversal' | 'commitReversal' | 'commitCancellation' | 'recordFreed'>;
export declare function endingSteps(sql: Sql): EndingSteps;
export {};
