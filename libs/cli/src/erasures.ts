/** Erases members: one member, or after a restore all members in the erasure journal. */
import { eraseMember, memberReferences } from '@carecover/benefits';
import { storedTenant, type Tenant } from '@carecover/domain';
import { audited, type Operator } from '@carecover/gateway';
import type { Sql } from '@carecover/postgres';
import type { ErasureEntry, ErasureJournal } from './erasure-journal';
import { inSchema, removeStatementTimeout, vacuum } from './store/service-schemas';

/** The tables that an erasure changes. They are vacuumed, because dead row versions still contain the erased reference. */
const TABLES = [
  'members',
  'coverages',
  'coverage_observations',
  'coverage_batches',
  'payer_contracts',
  'commands',
];

interface Erasing {
  readonly sql: Sql;
  readonly operator: Operator;
  readonly journal: ErasureJournal;
}

/**
 * Erases a member and appends the erasure to the journal before the commit. The audit entry names the project, not the member. If the
 * journal has the erasure already, an earlier command can have been interrupted before its vacuum: only the vacuum is repeated.
 *
 * @returns false if the project has no such member and never erased one
 */
export async function eraseJournaled(
  { sql, operator, journal }: Erasing,
  tenant: Tenant,
  memberReference: string,
): Promise<boolean> {
  const isErased = await eraseOnce(sql, operator, tenant, memberReference, (erasedAt) =>
    journal.append(tenant, memberReference, erasedAt),
  );
  if (!isErased && !(await isJournaled(journal, tenant, memberReference))) return false;
  await vacuum(sql, 'benefits', TABLES);
  return true;
}

async function isJournaled(
  journal: ErasureJournal,
  tenant: Tenant,
  memberReference: string,
): Promise<boolean> {
  const { entries } = await journal.read();
  const hash = journal.hashOf(tenant, memberReference);
  return entries.some(({ project_id, member }) => project_id === tenant && member === hash);
}

/**
 * Repeats the journal's erasures for members that a restore brought back.
 *
 * @returns the number of erased members, and the number of journal entries that were made with another secret
 */
export async function repeatErasures({
  sql,
  operator,
  journal,
}: Erasing): Promise<{ readonly erased: number; readonly unreadable: number }> {
  const { entries, unreadable } = await journal.read();
  let erased = 0;
  for (const project of new Set(entries.map(({ project_id }) => project_id))) {
    const tenant = storedTenant(project);
    const ofProject = entries.filter(({ project_id }) => project_id === project);
    const latest = new Map(ofProject.map((entry) => [entry.member, entry]));
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await memberPage(sql, tenant, after);
      for (const reference of page) {
        const entry = latest.get(journal.hashOf(tenant, reference));
        if (entry !== undefined && (await eraseOnce(sql, operator, tenant, reference, null, entry)))
          erased += 1;
      }
      after = page.at(-1);
    }
  }
  // The tables are vacuumed even if no member was erased: an earlier command can have been interrupted before its vacuum.
  if (entries.length > 0) await vacuum(sql, 'benefits', TABLES);
  return { erased, unreadable };
}

function memberPage(sql: Sql, tenant: Tenant, after: string): Promise<string[]> {
  return sql.begin((tx) => inSchema(tx, 'benefits', () => memberReferences(tx, tenant, after))) as Promise<
    string[]
  >;
}

class UnknownMember extends Error {}

async function eraseOnce(
  sql: Sql,
  operator: Operator,
  tenant: Tenant,
  memberReference: string,
  beforeCommit: ((erasedAt: Date) => Promise<void>) | null,
  entry?: ErasureEntry,
): Promise<boolean> {
  try {
    return await audited(sql, operator, 'member.erase', async (tx) => {
      const until = entry && new Date(entry.erased_at);
      // The erasure reads every stored response of the project. Their number has no limit, so there is no statement timeout.
      await removeStatementTimeout(tx);
      // The database's administrator executes the erasure, because no service's role has the privilege to update coverage observations.
      const erasedAt = await inSchema(tx, 'benefits', () => eraseMember(tx, tenant, memberReference, until));
      if (erasedAt === null) throw new UnknownMember();
      return {
        subject: tenant,
        details: entry === undefined ? {} : { after_restore: true },
        result: true,
        beforeCommit: async () => beforeCommit?.(erasedAt),
      };
    });
  } catch (error) {
    if (error instanceof UnknownMember) return false;
    throw error;
  }
}
