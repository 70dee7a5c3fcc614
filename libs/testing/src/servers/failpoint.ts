/** Ends processes of a stack at failpoints. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { writeAtomically } from '@carecover/local/files';
import { failpointFile } from '@carecover/local/services';
import type { Stack } from '@carecover/local/stack';
import type { ServiceName } from '@carecover/setup/migrate';
import { eventually } from './eventually';

/**
 * Sets the failpoint of a service, `name` or `name:operation`: the first process of the service that reaches it ends, and the stack starts
 * it again.
 *
 * @returns a function that waits until a process has reached the failpoint
 */
export async function setFailpoint(
  stack: Stack,
  service: ServiceName,
  failpoint: string,
): Promise<() => Promise<unknown>> {
  const { failpoints } = stack.home;
  const file = failpointFile(failpoints, service);
  await mkdir(failpoints, { recursive: true });
  stack.part(service).resetPause();
  await writeAtomically(file, failpoint);
  return () => eventually(`${service} reaches ${failpoint}`, async () => !existsSync(file));
}
