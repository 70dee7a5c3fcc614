/**
 * What payments decided, recorded on the claims: all claims of a call in one transaction, in any state, refusing nothing. A record
 * of an adjudication that is not committed here yet fails and is retried, since the claim's workflow is about to commit it.
 */
import { type Engine, type Sql } from '@carecover/platform';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';
export declare function remittanceSteps(sql: Sql, engine: Engine): ClaimsForRemittances;
