/** The claims' account rows: read and locked here, opened and closed here; their balances only ever follow from postings. */
import type { Environment } from '@carecover/contract';
import type { Fragment, Tx } from '@carecover/platform';
import { type Account, accounts, type ClaimAccount } from '../ledger/chart';

type AccountRow = Record<Account, number> & {
  readonly claim_id: string;
  readonly currency: string;
  readonly adjudication_id: string;
  readonly adjudication_version: number;
  readonly reversed_at: Date | null;
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
  };
}

/**
 * Locks the accounts of a tenant's claims until the transaction ends, always in the order of their ids, so that two
 * transactions over the same claims never wait for each other in a circle. Claims without an account are not in the result.
 */
export function lockAccounts(
  tx: Tx,
  tenant: string,
  claimIds: readonly string[],
): Promise<Map<string, ClaimAccount>> {
  return lockAccountsWhere(tx, tx`project_id = ${tenant} and claim_id = any(${[...claimIds]})`);
}

/** As {@link lockAccounts}, of the claims that a pending command's advice allocates to. */
export function lockAdvisedAccounts(tx: Tx, commandId: string): Promise<Map<string, ClaimAccount>> {
  return lockAccountsWhere(
    tx,
    tx`
      project_id = (select project_id from commands where id = ${commandId})
      and claim_id = any(array(
        select part ->> 'claim_id' from commands, jsonb_array_elements(body -> 'allocations') as part where id = ${commandId}))`,
  );
}

/** As {@link lockAccounts}, of the claims of a remittance, which is locked. */
export function lockRemittedAccounts(tx: Tx, remittanceId: Fragment): Promise<Map<string, ClaimAccount>> {
  // Its allocations are the project's own claims, and never change.
  return lockAccountsWhere(
    tx,
    tx`claim_id = any(array(select claim_id from remittance_allocations where remittance_id = ${remittanceId}))`,
  );
}

async function lockAccountsWhere(tx: Tx, condition: Fragment): Promise<Map<string, ClaimAccount>> {
  const rows = await tx<AccountRow[]>`
    select claim_id, currency, adjudication_id, adjudication_version, reversed_at, ${tx([...accounts])}
    from claim_accounts where ${condition} order by claim_id for update`;
  return new Map(rows.map((row) => [row.claim_id, toAccount(row)]));
}

export interface NewAccount {
  readonly tenant: string;
  readonly environment: Environment;
  readonly claimId: string;
  readonly currency: string;
  readonly adjudicationId: string;
  readonly adjudicationVersion: number;
}

/** Opens a claim's account, empty. False where it is open already. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<boolean> {
  const rows = await tx`
    insert into claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
    values (${account.claimId}, ${account.tenant}, ${account.environment}, ${account.currency},
            ${account.adjudicationId}, ${account.adjudicationVersion})
    on conflict (claim_id) do nothing returning claim_id`;
  return rows.length > 0;
}

/** Names the adjudication that a locked account stands for from now on. */
export async function setAdjudication(tx: Tx, claimId: string, id: string, version: number): Promise<void> {
  await tx`
    update claim_accounts set adjudication_id = ${id}, adjudication_version = ${version} where claim_id = ${claimId}`;
}

/** Closes a locked account to adjudication and remittance, for ever. */
export async function setReversed(tx: Tx, claimId: string, at: Date): Promise<void> {
  await tx`update claim_accounts set reversed_at = ${at} where claim_id = ${claimId}`;
}
