/**
 * Failpoints: places in the code at which a test can end the process, to test recovery. A test writes the name of a failpoint, `name` or
 * `name:operation`, into a file that the processes of a service share. The first process that reaches the failpoint deletes the file and
 * ends. Failpoints have an effect in test mode only.
 */
import { readFileSync, rmSync } from 'node:fs';

let file: string | undefined;

/**
 * Enables failpoints.
 *
 * @param path the file with the name of a failpoint; it need not exist. undefined: none is enabled
 * @throws Error outside test mode
 */
export function enableFailpoints(path: string | undefined, mode: string): void {
  if (path === undefined) return;
  if (mode !== 'test') throw new Error('CARECOVER_FAILPOINT_FILE can be set in test mode only: unset it');
  file = path;
}

/** Ends the process with SIGKILL if the file names this failpoint, either for all operations or for `operation`. */
export function failpoint(name: string, operation?: string): void {
  if (file === undefined) return;
  try {
    const wanted = readFileSync(file, 'utf8');
    if (wanted !== name && (operation === undefined || wanted !== `${name}:${operation}`)) return;
    rmSync(file);
  } catch (error) {
    // No failpoint is set, or another process has reached it first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  process.kill(process.pid, 'SIGKILL');
}
