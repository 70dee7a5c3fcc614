/** Where a claim stands, for its workflow: what it waits for, and what an operator reads. */
import { type Sql } from '@carecover/platform';
import type { ClaimSteps, ClaimView } from '@carecover/workflow-claim';
import { type ClaimInFull } from '../store/claims-in-full';
/** What the workflow is to know of a claim. */
export declare function viewOf(row: ClaimInFull | null): ClaimView;
export declare function viewSteps(sql: Sql): Pick<ClaimSteps, 'loadClaim'>;
