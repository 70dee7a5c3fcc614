/** Writes small files atomically and synced to disk. */
import { open, readFile, rename } from 'node:fs/promises';

/** Only the owner can read and write. */
const MODE = 0o600;

/** Replaces the file's content atomically. Only the owner can read the file. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', MODE);
  try {
    await file.chmod(MODE);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}

/** Returns the file's text, or undefined if there is no file. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
