/** Erasures of members: one on request, and all of the journal after a restore. */
import { eraseMember, memberReferences } from '@carecover/benefits';
import { type Sql, storedTenant, type Tenant, type Tx } from '@carecover/platform';
import { audited, type Operator } from './audit';
import type { ErasureEntry, ErasureJournal } from './erasure-journal';

/** What an erasure changes, beside the index and the answers. Vacuumed, so that no dead row version keeps what was erased. */
const TABLES = ['members', 'coverages', 'coverage_observations', 'commands'];

interface Erasing {
  readonly sql: Sql;
  readonly operator: Operator;
  readonly journal: ErasureJournal;
}

/**
 * Erases a member, and journals it before the commit. The log says that a member of the project was erased, and nothing by which to find
 * out which.
 *
 * @returns false where the project has no such member
 */
export async function erase(
  { sql, operator, journal }: Erasing,
  tenant: Tenant,
  memberReference: string,
): Promise<boolean> {
  const isErased = await eraseOnce(sql, operator, tenant, memberReference, (erasedAt) =>
    journal.append(tenant, memberReference, erasedAt),
  );
  if (isErased) await vacuum(sql);
  return isErased;
}

/** Erases again whom a restore brought back. Gives their number, and that of entries made under another secret. */
export async function eraseAgain({
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
  // Also where a run before this one was interrupted between the erasure and the vacuum.
  if (entries.length > 0) await vacuum(sql);
  return { erased, unreadable };
}

function memberPage(sql: Sql, tenant: Tenant, after: string): Promise<string[]> {
  return sql.begin((tx) => inBenefits(tx, () => memberReferences(tx, tenant, after))) as Promise<string[]>;
}

class Unknown extends Error {}

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
      // It reads all stored answers of the project, however many there are.
      await tx`set local statement_timeout = 0`;
      const erasedAt = await inBenefits(tx, () => eraseMember(tx, tenant, memberReference, until));
      if (erasedAt === null) throw new Unknown();
      return {
        subject: tenant,
        details: entry === undefined ? {} : { after_restore: true },
        result: true,
        beforeCommit: async () => beforeCommit?.(erasedAt),
      };
    });
  } catch (error) {
    if (error instanceof Unknown) return false;
    throw error;
  }
}

/** As the administrator, since no service can change what was observed. */
async function inBenefits<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx`select set_config('search_path', 'benefits,public', true)`;
  const result = await work();
  await tx`reset search_path`;
  return result;
}

async function vacuum(sql: Sql): Promise<void> {
  const session = await sql.reserve();
  try {
    await session`set statement_timeout = 0`;
    for (const table of TABLES) await session`vacuum ${session(`benefits.${table}`)}`;
  } finally {
    await session`reset statement_timeout`;
    session.release();
  }
}
