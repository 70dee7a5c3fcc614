/** Which rule of the claims' table a submission would break: asked only to explain a refusal, never to decide one. */
import type { Db, Tenant } from '@carecover/platform';
/** The name of the constraint, or null. */
export declare function findConflict(db: Db, tenant: Tenant, providerClaimReference: string, sessionId: string): Promise<'claims_reference_once' | 'claims_one_live_a_session' | null>;
