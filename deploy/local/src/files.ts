/** Writes small files whole or not at all, and safely on the disk before anything relies on them. */
import { open, readFile, rename } from 'node:fs/promises';

/** Replaces the file's content. `mode` is 0600 for what only its owner may read. */
export async function writeWhole(path: string, text: string, mode = 0o644): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w', mode);
  try {
    await file.chmod(mode);
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
