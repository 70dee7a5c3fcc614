/**
 * The erasure journal: a file that the database's backups do not contain. After a restore, `carecover recover-after-restore` repeats
 * the journal's erasures. A line contains a keyed hash of the member's reference and nothing that identifies the person.
 */
import { createHmac } from 'node:crypto';
import { access, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Tenant } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';

/** One line of the journal, which is JSON. */
export interface ErasureEntry {
  readonly project_id: string;
  /** When the member was erased: ISO 8601, by the database's clock. A member that was created later is not erased again. */
  readonly erased_at: string;
  /** HMAC-SHA-256 of the project and the member's reference, in hexadecimal. */
  readonly member: string;
  /** Identifies the secret with which `member` was hashed. */
  readonly key: string;
}

export class ErasureJournal {
  private readonly key: string;

  /** Creates a journal that is stored in a file. @param secret the secret with which references are hashed (the setting HASH_SECRET) */
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

  /** Appends an erasure; resolves after the file and its folder are synced to disk. */
  async append(tenant: Tenant, memberReference: string, erasedAt: Date): Promise<void> {
    const entry: ErasureEntry = {
      project_id: tenant,
      erased_at: erasedAt.toISOString(),
      member: this.hashOf(tenant, memberReference),
      key: this.key,
    };
    // The entry starts with a newline, which ends a line that an interruption left incomplete.
    const handle = await open(this.file, 'a', 0o600).catch(throwUnusable);
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

  /**
   * Reads the entries whose hashes were made with `secret`, and counts the others. A missing file has no entries, because the first erasure
   * creates it.
   *
   * @throws OperatorError if the file's folder is missing too, such as a volume that is not mounted
   */
  async read(): Promise<{ readonly entries: readonly ErasureEntry[]; readonly unreadable: number }> {
    await access(dirname(this.file)).catch(throwUnusable);
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? '' : throwUnusable(error),
    );
    const all = text.split('\n').flatMap(entryOf);
    const entries = all.filter(({ key }) => key === this.key);
    return { entries, unreadable: all.length - entries.length };
  }
}

/** Parses a line. Returns no entry for an incomplete line, because its erasure was not committed. */
function entryOf(line: string): ErasureEntry[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as ErasureEntry];
  } catch {
    return [];
  }
}

function throwUnusable(error: unknown): never {
  const { code = 'unreadable' } = error as NodeJS.ErrnoException;
  throw new OperatorError(
    `The erasure journal can't be used: ${code}. CARECOVER_ERASURE_JOURNAL must name a file that can be read and written.`,
  );
}
