/**
 * The append-only log of the changes that operators made; it never contains a secret. A change in one transaction is committed with its
 * entry. The entry of a change that needs several transactions, or another server, is written before the change begins.
 */
import { type Db, DELETION_BATCH, isOnlyDeletion, jsonb, type Sql, type Tx } from '@carecover/postgres';

/** The author of a change: an operator of the CLI, such as `amina@workstation-4`, or the subject of a person in the console. */
export type Operator = string;

interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: Operator;
  readonly action: string;
  /** The identifier of the resource that was changed. */
  readonly subject: string;
  readonly details: unknown;
}

interface AuditedChange<T> {
  readonly subject: string;
  readonly details?: Record<string, unknown>;
  readonly result: T;
  /** Called after the entry is written and before the commit. If it throws, the change is rolled back. */
  readonly beforeCommit?: () => Promise<void>;
}

/** Executes a change and writes its audit entry in one transaction. */
export function audited<T>(
  sql: Sql,
  actor: Operator,
  action: string,
  change: (tx: Tx) => Promise<AuditedChange<T>>,
): Promise<T> {
  return sql.begin(async (tx) => {
    const { subject, details, result, beforeCommit } = await change(tx);
    await tx`
      insert into gateway.audit_log (actor, action, subject, details)
      values (${actor}, ${action}, ${subject}, ${jsonb(details ?? {})})`;
    await beforeCommit?.();
    return result;
  }) as Promise<T>;
}

/** One page of a list, newest first. */
export interface OperatorPage {
  readonly limit: number;
  /** The ID of the last row of the previous page; null for the first page. */
  readonly after: string | null;
}

/** Which entries are read. Without a filter, all are. */
export interface AuditFilters {
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  /** Only entries of this instant or later. */
  readonly since?: Date;
  /** Only entries of this instant or earlier. */
  readonly until?: Date;
  readonly withoutSignIns?: boolean;
}

/**
 * Reads the latest entries, newest first.
 *
 * @param after the ID of an entry; only older ones are read
 */
export async function listAudit(
  db: Db,
  limit: number,
  after: OperatorPage['after'] = null,
  { actor, action, subject, since, until, withoutSignIns = false }: AuditFilters = {},
): Promise<AuditEntry[]> {
  return [
    ...(await db<AuditEntry[]>`
      select id, at, actor, action, subject, details from gateway.audit_log
      where (${after}::bigint is null or id < ${after}) and (${since ?? null}::timestamptz is null or at >= ${since ?? null})
        and (${until ?? null}::timestamptz is null or at <= ${until ?? null})
        and (${actor ?? null}::text is null or actor = ${actor ?? null})
        and (${action ?? null}::text is null or action = ${action ?? null})
        and (${subject ?? null}::text is null or subject = ${subject ?? null})
        and (not ${withoutSignIns}::boolean or action <> 'console.sign_in')
      order by id desc limit ${limit}`),
  ];
}

/**
 * Deletes a batch of the oldest entries, if they are older than the migration job's AUDIT_RETENTION_DAYS. A trigger writes an entry about the
 * deletion, and rejects the deletion of younger entries. Returns the number of deleted entries.
 */
export async function deleteOldEntries(db: Db, batch = DELETION_BATCH): Promise<number> {
  const deleted = await db`
    delete from gateway.audit_log where id in (
      select id from gateway.audit_log
      where at < (select gateway.audit_log_starts_at()) and ${isOnlyDeletion(db, 'audit_log')}
      order by at limit ${batch})
    returning 1`;
  return deleted.length;
}
