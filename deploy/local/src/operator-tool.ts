/** Runs the operator CLI, `carecover`, on the database of a stack. */
import { join } from 'node:path';
import { REPOSITORY } from './home';
import { runTool } from './run-tool';

const CLI = join(REPOSITORY, 'libs/cli/dist/main.js');

export interface Project {
  project_id: string;
  secret_key: string;
}

/**
 * Runs the operator CLI and returns its output. `settings` are added to its environment.
 *
 * @throws StartFailure with the CLI's error output
 */
export function carecover(
  adminUrl: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  return runTool(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
    // The empty text counts as missing: a shell can have this setting, and both together are rejected.
    env: {
      ...process.env,
      ...settings,
      CARECOVER_ADMIN_DATABASE_URL: adminUrl,
      CARECOVER_ADMIN_DATABASE_URL_FILE: '',
    },
  });
}

/** Creates a sandbox project with its first secret key. @throws StartFailure if the CLI fails */
export async function createProject(adminUrl: string): Promise<Project> {
  const args = ['projects', 'create', 'Local sandbox', '--environment', 'sandbox', '--json'];
  const output = await carecover(adminUrl, args);
  const { project_id, secret_key } = JSON.parse(output) as Project;
  return { project_id, secret_key };
}

/** Verifies the ledger of a stack. @throws StartFailure with the differences if the ledger has any */
export async function verifyLedger(adminUrl: string): Promise<void> {
  await carecover(adminUrl, ['ledger', 'verify']);
}
