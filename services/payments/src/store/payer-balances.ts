/** SQL of the balances that payers forward from one advice to the next. */
import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';
import type { ForwardingAdvice } from '../rules/forwarded-balance';

/** A forwarding advice with its payer and currency. */
export type PayersAdvice = ForwardingAdvice & {
  readonly payer: string | null;
  readonly payer_key: string | null;
  readonly currency: string;
};

/**
 * Reads the advices of a project that forward or deduct a balance and are not withdrawn, by payer and currency, in the order in which they were recorded.
 *
 * @param remittanceIds only these advices, as remittances; null for all
 */
export async function listForwarding(
  db: Db,
  tenant: Tenant,
  remittanceIds: readonly string[] | null = null,
): Promise<PayersAdvice[]> {
  const visible = remittanceIds === null ? db`` : db`and id = any(${[...remittanceIds]})`;
  const rows = await db<PayersAdvice[]>`
    select id, net, forwarded, status, received_at as "receivedAt", payer, payer_key, currency,
      exists (select from netted_advices where remittance_id = id) as "isNetted"
    from remittances
    where project_id = ${tenant} and (net < 0 or forwarded <> 0) and status <> 'withdrawn' ${visible}
    order by payer_key nulls first, currency, created_at, id`;
  return [...rows];
}

/** Reads the advices of the payer and currency of an advice that forward or deduct a balance and are not withdrawn, in the order in which they were recorded. */
export async function findForwarding(
  db: Db,
  tenant: Tenant,
  remittanceId: string,
): Promise<ForwardingAdvice[]> {
  const rows = await db<ForwardingAdvice[]>`
    select advice.id, advice.net, advice.forwarded, advice.status, advice.received_at as "receivedAt",
      exists (select from netted_advices where remittance_id = advice.id) as "isNetted"
    from remittances own join remittances advice
      on advice.project_id = own.project_id and advice.currency = own.currency and advice.payer_key is not distinct from own.payer_key
      and (advice.net < 0 or advice.forwarded <> 0) and advice.status <> 'withdrawn'
    where own.id = ${remittanceId} and own.project_id = ${tenant}
    order by advice.created_at, advice.id`;
  return [...rows];
}
