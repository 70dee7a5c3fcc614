/** Everything that the queue `claims` does: the steps of a claim's own workflow, and what payments tells of money. */
import type { Engine, Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
export declare function claimActivities(sql: Sql, engine: Engine): ClaimSteps & ClaimsForRemittances;
