/** SQL of the table claim_accounts: creates and locks the accounts of claims, and marks them as reversed. Only postings change balances. */
import type { Environment } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { columns, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import { type Account, accounts, type ClaimAccount } from '../rules/chart-of-accounts';

type AccountRow = Record<Account, number> & {
  readonly claim_id: string;
  readonly currency: string;
  readonly adjudication_id: string;
  readonly adjudication_version: number;
  readonly reversed_at: Date | null;
  readonly settled: number;
  readonly settled_cause: string | null;
  readonly remitted_cause: string | null;
};

function toAccount(row: AccountRow): ClaimAccount {
  const balances = Object.fromEntries(accounts.map((account) => [account, row[account]]));
  return {
    claimId: row.claim_id,
    currency: row.currency,
    adjudicationId: row.adjudication_id,
    adjudicationVersion: row.adjudication_version,
    reversed: row.reversed_at !== null,
    balances: balances as Record<Account, number>,
    settled: row.settled,
    settledCause: row.settled_cause,
    remittedCause: row.remitted_cause,
  };
}

/**
 * Locks the accounts of a tenant's claims until the transaction ends, in the order of their IDs to prevent deadlocks. Returns the accounts
 * by claim ID, without the claims that have no account.
 */
export function lockAccounts(
  tx: Tx,
  tenant: Tenant,
  claimIds: readonly string[],
): Query<Map<string, ClaimAccount>> {
  return lockAccountsWhere(tx, tx`project_id = ${tenant} and claim_id = any(${[...claimIds]})`);
}

/** Does the same as {@link lockAccounts}, for the claims whose accounts the advices of remittances change, and for further claims. */
export function lockRemittedAccounts(
  tx: Tx,
  tenant: Tenant,
  remittanceIds: readonly string[],
  claimIds: readonly string[] = [],
): Query<Map<string, ClaimAccount>> {
  const others =
    claimIds.length === 0
      ? tx``
      : tx` union select claim_id from claim_accounts where claim_id = any(${[...claimIds]}) and project_id = ${tenant}`;
  // The tenant of the claims needs no condition: an advice has only lines of claims of its project, and they never change.
  return lockAccountsWhere(
    tx,
    tx`claim_id = any(array(
      select claim_id from remittance_claims
      where remittance_id in (select id from remittances where id = any(${[...remittanceIds]}) and project_id = ${tenant})${others}))`,
  );
}

function lockAccountsWhere(tx: Tx, condition: Fragment): Query<Map<string, ClaimAccount>> {
  const locked = tx<AccountRow[]>`
    select claim_id, currency, adjudication_id, adjudication_version, reversed_at, settled, settled_cause, remitted_cause, ${columns(accounts)}
    from claim_accounts where ${condition} order by claim_id for update`;
  return locked.withResult((rows) => new Map(rows.map((row) => [row.claim_id, toAccount(row)])));
}

export interface NewAccount {
  readonly environment: Environment;
  readonly claimId: string;
  readonly currency: string;
  readonly adjudicationId: string;
  readonly adjudicationVersion: number;
}

/** Inserts the account row of a claim, with balances of zero. Returns false if the claim has one already. */
export function insertAccount(tx: Tx, tenant: Tenant, account: NewAccount): Query<boolean> {
  const inserted = tx`
    insert into claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
    values (${account.claimId}, ${tenant}, ${account.environment}, ${account.currency},
            ${account.adjudicationId}, ${account.adjudicationVersion})
    on conflict (claim_id) do nothing returning claim_id`;
  return inserted.withResult((rows) => rows.length > 0);
}

/** Sets the current adjudication of a locked account. */
export function setAdjudication(
  tx: Tx,
  tenant: Tenant,
  claimId: string,
  id: string,
  version: number,
): Query<unknown> {
  return tx`
    update claim_accounts set adjudication_id = ${id}, adjudication_version = ${version}
    where claim_id = ${claimId} and project_id = ${tenant}`;
}

/** Returns the SQL that stores the settled amounts of locked accounts in the claims service, and the causes of their last changes. */
export function setSettled(tx: Tx, tenant: Tenant, changed: readonly ClaimAccount[]): Fragment {
  const rows = changed.map(({ claimId, settled, settledCause }) => ({ claimId, settled, settledCause }));
  return tx`
    update claim_accounts held set settled = changed.settled, settled_cause = changed."settledCause"
    from jsonb_to_recordset(${jsonb(rows)}) as changed ("claimId" text, settled bigint, "settledCause" text)
    where held.claim_id = changed."claimId" and held.project_id = ${tenant}`;
}

/** Marks a locked account as reversed; it then accepts no adjudication and no remittance. */
export function setReversed(tx: Tx, tenant: Tenant, claimId: string, at: Date): Query<unknown> {
  return tx`update claim_accounts set reversed_at = ${at} where claim_id = ${claimId} and project_id = ${tenant}`;
}
