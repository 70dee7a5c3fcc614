/** The tools for the Python client, with exact versions, and the folders of the client. */
import { join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { pythonEnvironment } from '@carecover/testing/servers';

/** Installing the generator also installs what the generated client needs, httpx and attrs. */
const PACKAGES = [
  'openapi-python-client==0.29.1',
  'ruff==0.17.6',
  'build==1.6.1',
  'hatchling==1.33.0',
  'twine==7.0.0',
  'httpx==0.28.1',
  'attrs==26.1.0',
  'mypy==2.4.1',
];

export const CLIENT = join(repositoryRoot(), 'libs/client-python');

/**
 * Returns environment variables whose PATH has the installed Python tools, to be run as modules (`python -m`); null if there is no Python.
 */
export async function pythonTools(): Promise<NodeJS.ProcessEnv | null> {
  const bin = await pythonEnvironment('the Python client', PACKAGES);
  return bin === null ? null : { PATH: `${bin}:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' };
}
