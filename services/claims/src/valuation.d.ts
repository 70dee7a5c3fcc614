import { type ClaimValuation } from '@carecover/contract';
import { type Sql, type Tenant } from '@carecover/platform';
/**
 * The claim as it was known at `cutoff` (epoch milliseconds, inclusive).
 *
 * @throws Refusal validation_failed (a cutoff more than 5 s ahead that was never answered), resource_not_found (no such claim, or
 *   before its first event)
 */
export declare function valueClaim(sql: Sql, tenant: Tenant, claimId: string, cutoff: number): Promise<ClaimValuation>;
