/** SQL of payment advices. An advice is stored with its remittance, whose ID has the same opaque part. */
import type { PaymentAdvice, PaymentAdviceStatus } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import { type Db, type ListQuery, type ListResult, listPage } from '@carecover/postgres';
import { remittanceIdOf } from '../rules/advice';
import type { RemittanceRow } from './remittances';
import { searched } from './settlements';

const PAYMENT_ADVICES = { table: 'payment_advice_resources' } as const;

/** A remittance with all lines of its advice. Its ID is that of the remittance. */
export type AdviceResourceRow = RemittanceRow &
  Pick<PaymentAdvice, 'allocations' | 'denials' | 'recoveries' | 'adjustments'> & {
    readonly created_at: Date;
    readonly withdrawn_at: Date | null;
    readonly withdrawal_reason_code: string | null;
    /** The remittances of the advice in whose place it was recorded, and of the one that was recorded in its place; null without one. */
    readonly replaces: string | null;
    readonly replaced_by: string | null;
  };

export async function findPaymentAdvice(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<AdviceResourceRow | undefined> {
  const [row] = await db<AdviceResourceRow[]>`
    select * from payment_advice_resources where id = ${remittanceIdOf(id)} and project_id = ${tenant}`;
  return row;
}

/** The filters of the list of payment advices. */
export interface AdviceFilters {
  readonly status?: PaymentAdviceStatus;
  readonly payer_reference?: string;
  readonly claim_id?: string;
}

/**
 * Reads one page of the project's payment advices, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no advice of this list
 */
export function listPaymentAdvices<T>(
  db: Db,
  caller: Caller,
  query: ListQuery & AdviceFilters,
  toResource: (row: AdviceResourceRow) => T,
): Promise<ListResult<T>> {
  const { claim_id: claimId, starting_after: cursor, ...others } = query;
  const ofClaim =
    claimId === undefined
      ? db``
      : db`and id = any(array(
          select remittance_id from remittance_claims where claim_id = ${claimId}
          union select remittance_id from remittance_denials where claim_id = ${claimId}))`;
  const filters = [
    ofClaim,
    { column: 'payer_reference_search', value: searched(query.payer_reference) },
    { column: 'status', value: query.status },
  ];
  const page = { ...others, ...(cursor !== undefined && { starting_after: remittanceIdOf(cursor) }) };
  const visible = { ...caller, resourceIds: caller.resourceIds?.map(remittanceOf) ?? null };
  return listPage(db, visible, PAYMENT_ADVICES, page, filters, toResource);
}

/** Returns the ID in the view of the resource that a token permits. A permitted remittance is no permitted advice. */
export function remittanceOf(resourceId: string): string {
  return resourceId.startsWith('adv_') ? remittanceIdOf(resourceId) : '';
}
