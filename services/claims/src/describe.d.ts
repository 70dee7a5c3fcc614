import { type Sql, type Tenant } from '@carecover/platform';
/**
 * The claim's timeline, as known now or at `at` (epoch milliseconds; answered as a valuation of that cutoff is, for ever the same).
 *
 * @throws Refusal resource_not_found; validation_failed where `at` is ahead of the clock
 */
export declare function describeClaim(sql: Sql, tenant: Tenant, claimId: string, at?: number): Promise<string>;
