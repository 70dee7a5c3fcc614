/**
 * The journal of erasures: a file outside the reach of the database's backups, from which `recover-after-restore` erases again whom a
 * restore brought back. A line holds a keyed hash of the member's reference, and nothing by which to find out who it was.
 */
import { createHmac } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Tenant } from '@carecover/platform';
import { OperatorError } from './operator-error';

/** One line of the file, as JSON. */
export interface ErasureEntry {
  readonly project_id: string;
  /** ISO 8601, by the clock of the rules. A member first seen later is another. */
  readonly erased_at: string;
  /** HMAC-SHA-256, in hexadecimal. */
  readonly member: string;
  /** Tells under which secret the hash was made. */
  readonly key: string;
}

export class ErasureJournal {
  private readonly key: string;

  /** @param secret what keys the hashes: HASH_SECRET */
  constructor(
    readonly file: string,
    private readonly secret: string,
  ) {
    this.key = this.hash('erasure-journal-key').slice(0, 16);
  }

  private hash(...parts: readonly string[]): string {
    return createHmac('sha256', this.secret).update(parts.join('\0')).digest('hex');
  }

  hashOf(tenant: Tenant, memberReference: string): string {
    return this.hash('erased-member', tenant, memberReference);
  }

  /** Appends an erasure and returns once it is on the disk. */
  async append(tenant: Tenant, memberReference: string, erasedAt: Date): Promise<void> {
    const entry: ErasureEntry = {
      project_id: tenant,
      erased_at: erasedAt.toISOString(),
      member: this.hashOf(tenant, memberReference),
      key: this.key,
    };
    // A line that an interruption cut short ends here, so that it spoils no other.
    const handle = await open(this.file, 'a', 0o600).catch(unusable);
    try {
      await handle.appendFile(`\n${JSON.stringify(entry)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const folder = await open(dirname(this.file));
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** All entries whose hashes this secret can make, and how many were made under another. No file: none. */
  async read(): Promise<{ readonly entries: readonly ErasureEntry[]; readonly unreadable: number }> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? '' : unusable(error),
    );
    const all = text.split('\n').flatMap(entryOf);
    const entries = all.filter(({ key }) => key === this.key);
    return { entries, unreadable: all.length - entries.length };
  }
}

/** None where the line is empty or was cut short: then its erasure was not committed. */
function entryOf(line: string): ErasureEntry[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as ErasureEntry];
  } catch {
    return [];
  }
}

function unusable(error: unknown): never {
  const { code = 'unreadable' } = error as NodeJS.ErrnoException;
  throw new OperatorError(
    `The journal of erasures can't be used: ${code}. CARECOVER_ERASURE_JOURNAL names it.`,
  );
}
