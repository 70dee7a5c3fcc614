/**
 * The append-only log of what operators did; it never holds a secret. An act on the database is committed with its entry. One
 * that reaches beyond it, or takes many transactions, is logged before it begins: an interruption then leaves an entry whose act
 * is to be done again, never an act without an entry.
 */
import type { ServiceName } from '@carecover/contract';
import { type Db, jsonb, type Sql, type Tx } from '@carecover/platform';

/** Who acts, such as `amina@workstation-4`. */
export type Operator = string;

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: Operator;
  readonly action: string;
  /** The identifier of what it was done to. */
  readonly subject: string;
  readonly details: unknown;
}

interface Act<T> {
  readonly subject: string;
  readonly details?: Record<string, unknown>;
  readonly result: T;
  /** What must be on record elsewhere before the act takes effect: the last thing that can prevent it. */
  readonly beforeCommit?: () => Promise<void>;
}

/** Does an act and logs it in one transaction. */
export function audited<T>(
  sql: Sql,
  actor: Operator,
  action: string,
  act: (tx: Tx) => Promise<Act<T>>,
): Promise<T> {
  return sql.begin(async (tx) => {
    const { subject, details, result, beforeCommit } = await act(tx);
    await tx`
      insert into gateway.audit_log (actor, action, subject, details)
      values (${actor}, ${action}, ${subject}, ${jsonb(tx, details ?? {})})`;
    await beforeCommit?.();
    return result;
  }) as Promise<T>;
}

/** Does a part of an act in its transaction as one service: in its schema, with its role's rights alone. */
export async function asService<T>(tx: Tx, service: ServiceName, work: () => Promise<T>): Promise<T> {
  await tx`select set_config('role', ${service}, true), set_config('search_path', ${`${service},public`}, true)`;
  const result = await work();
  await tx`reset role`;
  return result;
}

/** The latest entries, newest first. */
export async function listAudit(db: Db, limit: number): Promise<AuditEntry[]> {
  return [
    ...(await db<AuditEntry[]>`
      select id, at, actor, action, subject, details from gateway.audit_log order by id desc limit ${limit}`),
  ];
}
