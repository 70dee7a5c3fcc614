/** Writes small files whole or not at all, and safely on the disk before anything relies on them. */
import { open, readFile, rename } from 'node:fs/promises';

/** The owner alone may read and write. */
const MODE = 0o600;

/** Replaces the file's content; its owner alone may read it. */
export async function writeWhole(path: string, text: string): Promise<void> {
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

/** The file's text, or undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
