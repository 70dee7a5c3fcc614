/** Failpoints: places in the code at which a test can end the process, to test recovery. They have an effect in test mode only. */
const enabled = new Set<string>();

/**
 * Enables failpoints.
 *
 * @param list names separated by commas, each `name` or `name:operation`
 * @throws Error outside test mode
 */
export function enableFailpoints(list: string, mode: string): void {
  if (list === '') return;
  if (mode !== 'test') throw new Error('CARECOVER_FAILPOINTS can be set in test mode only: unset it');
  for (const name of list.split(',')) enabled.add(name.trim());
}

/** Ends the process with SIGKILL if the failpoint is enabled either for all operations or for `operation`. */
export function failpoint(name: string, operation?: string): void {
  if (enabled.size === 0) return;
  if (enabled.has(name) || (operation !== undefined && enabled.has(`${name}:${operation}`))) {
    process.kill(process.pid, 'SIGKILL');
  }
}
