/**
 * The one seam by which a test makes a process die at a named point. Only a process in test mode can arm it; elsewhere
 * {@link failpoint} is a test of an empty set.
 */
const armed = new Set<string>();

/** Arms the points named in `list` (comma-separated `name` or `name:operation`). @throws outside test mode */
export function armFailpoints(list: string, mode: string): void {
  if (list === '') return;
  if (mode !== 'test') throw new Error('CARECOVER_FAILPOINTS can be set in test mode only');
  for (const name of list.split(',')) armed.add(name.trim());
}

/** Dies here, as by a power cut, if a test armed this point (for any operation, or for this one). */
export function failpoint(name: string, operation?: string): void {
  if (armed.size === 0) return;
  if (armed.has(name) || (operation !== undefined && armed.has(`${name}:${operation}`))) {
    process.kill(process.pid, 'SIGKILL');
  }
}
