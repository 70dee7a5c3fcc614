/** The append-only log of what operators did. Each entry is committed with its act, and never holds a secret. */
import type { Db, Sql, Tx } from '@carecover/platform';

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

/** Does an act and logs it in one transaction. */
export function audited<T>(
  sql: Sql,
  actor: Operator,
  action: string,
  act: (tx: Tx) => Promise<{ subject: string; details?: Record<string, unknown>; result: T }>,
): Promise<T> {
  return sql.begin(async (tx) => {
    const { subject, details, result } = await act(tx);
    await tx`
      insert into gateway.audit_log (actor, action, subject, details)
      values (${actor}, ${action}, ${subject}, ${tx.json(JSON.parse(JSON.stringify(details ?? {})))})`;
    return result;
  }) as Promise<T>;
}

/** The latest entries, newest first. */
export async function listAudit(db: Db, limit: number): Promise<AuditEntry[]> {
  return [
    ...(await db<AuditEntry[]>`
      select id, at, actor, action, subject, details from gateway.audit_log order by id desc limit ${limit}`),
  ];
}
