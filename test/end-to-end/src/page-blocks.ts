/** Runs the blocks of commands of a documentation page against the running stack, as a reader copies them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { extractBlocks, readPage } from '../../docs/src/pages';
import { CLI, running } from './one-stack/world';

export type Variables = Readonly<Record<string, string>>;

/** Returns the blocks of commands of a page, also those in lists, by the heading of their section. */
export function sectionsOf(path: string): Map<string, string[]> {
  const [, ...sections] = readPage(path).text.split(/^## /m);
  return new Map(
    sections.map((section) => {
      const text = section.replaceAll(/^ {3}(?=\S)/gm, '');
      return [text.split('\n')[0] ?? '', extractBlocks({ path, text }, 'sh')];
    }),
  );
}

/**
 * Runs a block in bash, with the built CLI as `npx carecover`, in the stack's folder, and returns what it prints.
 *
 * @throws Error with `stdout` and `stderr` if a command ends with another exit code than 0
 */
export async function runBlock(block: string | undefined, variables: Variables): Promise<string> {
  const { home, file } = running.stack;
  const script = `npx() { shift; "$NODE" "$CLI" "$@"; }\n${block ?? 'false'}`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: home.folder,
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      CLI,
      CARECOVER_HOME: home.folder,
      CARECOVER_KEY: file.secret_key,
      CARECOVER_URL: file.base_url,
      CURL_CA_BUNDLE: file.ca_certificate,
      PROJECT: file.project_id,
      ...variables,
    } as NodeJS.ProcessEnv,
  });
  return stdout + stderr;
}
