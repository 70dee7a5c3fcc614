/** Runs the operator's own tool, `carecover`, against the stack's database. */
import { join } from 'node:path';
import { REPOSITORY } from './home';
import { runTool } from './run-tool';

const TOOL = join(REPOSITORY, 'services/gateway/dist/cli.js');

export interface Project {
  project_id: string;
  secret_key: string;
}

/** What the tool prints; `settings` beside the database's address. @throws StartFailure where it fails, with what it wrote */
export function carecover(
  adminUrl: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  return runTool(process.execPath, ['--disable-warning=ExperimentalWarning', TOOL, ...args], {
    env: { ...process.env, ...settings, CARECOVER_ADMIN_DATABASE_URL: adminUrl },
  });
}

/** Makes a sandbox project with its first key. @throws StartFailure */
export async function createProject(adminUrl: string): Promise<Project> {
  const args = ['projects', 'create', 'Local sandbox', '--environment', 'sandbox', '--json'];
  const output = await carecover(adminUrl, args);
  const { project_id, secret_key } = JSON.parse(output) as Project;
  return { project_id, secret_key };
}

/** Recomputes every balance from the postings. @throws StartFailure naming what does not balance */
export async function verifyLedger(adminUrl: string): Promise<void> {
  await carecover(adminUrl, ['ledger', 'verify']);
}
