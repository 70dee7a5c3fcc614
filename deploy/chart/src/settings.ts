/** The settings and secrets of each process of the chart, compared with what the code reads. */

import { type ConfigSpec, loadConfig } from '@carecover/config';
import { MIGRATE_SETTINGS, migrateOptions } from '@carecover/service/migrate-main';
import { SETTINGS as benefits } from '../../../services/benefits/src/settings';
import { SETTINGS as care } from '../../../services/care/src/settings';
import { SETTINGS as claims } from '../../../services/claims/src/settings';
import { SETTINGS as console } from '../../../services/console/src/settings';
import { SETTINGS as gateway } from '../../../services/gateway/src/settings';
import { SETTINGS as payments } from '../../../services/payments/src/settings';
import { SETTINGS as webhooks } from '../../../services/webhooks/src/settings';
import type { Manifest } from './helm';
import { ofKind, processOf } from './rules';

/** The settings that each service reads from its environment. */
export const SETTINGS_OF = { gateway, care, benefits, claims, payments, webhooks, console };
export type Service = keyof typeof SETTINGS_OF;
export const SERVICES = Object.keys(SETTINGS_OF) as Service[];
/** A setting that OpenTelemetry's SDK reads from the environment; Carecover's code does not read it. */
export const SDK_SETTING = 'OTEL_TRACES_SAMPLER_ARG';

/** Returns the service of a process, such as `claims` for `claims-worker`. */
export const serviceOf = (process: string) => process.replace(/-(server|worker)$/, '') as Service;

/** Returns the environment variables of the only container in an object's pods. */
export function environmentOf({ spec }: Manifest): Record<string, string> {
  const [{ env = [] }] = spec.template.spec.containers;
  return Object.fromEntries(env.map(({ name, value }: Manifest) => [name, value]));
}

/**
 * Returns the sorted keys of the Secret that the container mounts in /run/secrets. A key whose file has another name gets the suffix `?`.
 */
export function mountedKeys({ spec }: Manifest): string[] {
  const [{ volumeMounts }] = spec.template.spec.containers;
  const mount = volumeMounts.find(({ mountPath }: Manifest) => mountPath === '/run/secrets');
  const volume = spec.template.spec.volumes.find(({ name }: Manifest) => name === mount?.name);
  return (volume?.secret.items ?? [])
    .map(({ key, path }: Manifest) => (key === path ? key : `${key}?`))
    .sort();
}

/** Returns the sorted names of the files in /run/secrets that the values of the environment variables name. */
const namedKeys = (environment: Readonly<Record<string, string>>): string[] =>
  Object.values(environment)
    .flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [])
    .sort();

/**
 * Reads the settings of each process with the loader of its service, and the secrets from `folder`. Returns the problems that the loaders
 * report.
 *
 * @param folder the folder with the files that make-secrets.mjs creates, and the certificate `tls.crt` with its key `tls.key`
 */
export function settingsProblems(manifests: readonly Manifest[], folder: string): string[] {
  const inFolder = (environment: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/^\/run\/(secrets|certificate)/, folder),
      ]),
    );
  return ofKind(manifests, 'Deployment', 'StatefulSet', 'Job').flatMap((manifest) => {
    const process = processOf(manifest);
    const environment = environmentOf(manifest);
    const problems: string[] = [];
    if (manifest.kind === 'Deployment') {
      const service = serviceOf(process);
      const known = [...Object.keys(SETTINGS_OF[service]), SDK_SETTING];
      problems.push(
        ...attempt(() => void loadConfig<ConfigSpec>(SETTINGS_OF[service], inFolder(environment))),
        ...Object.keys(environment)
          .filter((name) => !known.includes(name.replace(/_FILE$/, '')))
          .map((name) => `${name} is not a setting of the service`),
        ...rolesProblems(manifest),
        // The loader of the gateway's settings accepts an empty PUBLIC_URL, and the gateway itself rejects it only later, in production
        // mode. So PUBLIC_URL is checked here.
        ...(service === 'gateway' && !environment.PUBLIC_URL ? ['PUBLIC_URL is empty'] : []),
      );
    }
    if (process === 'migrate')
      problems.push(
        ...attempt(() => void migrateOptions(loadConfig(MIGRATE_SETTINGS, inFolder(environment)))),
      );
    // The process `stream` runs create-stream.sh, which reads its password from the file and not through an environment variable.
    const named = process === 'stream' ? ['nats_operator_password'] : namedKeys(environment);
    if (JSON.stringify(named) !== JSON.stringify(mountedKeys(manifest)))
      problems.push(`mounts ${mountedKeys(manifest).join(' ')}, but reads ${named.join(' ')}`);
    problems.push(
      ...Object.entries(environment)
        .filter(
          ([name, value]) =>
            /SECRET|PASSWORD|DATABASE_URL|KEYS?(_|$)/.test(name) && !value.startsWith('/run/'),
        )
        .map(([name]) => `${name} is not read from a file`),
    );
    return problems.map((problem) => `${process}: ${problem}`);
  });
}

/**
 * Returns a message if the arguments of a process's container are not those that its name requires: `claims-worker` must run the program
 * of claims in the role `worker`.
 */
function rolesProblems(manifest: Manifest): string[] {
  const process = processOf(manifest);
  const [{ args }] = manifest.spec.template.spec.containers;
  const service = serviceOf(process);
  const [, role] = /-(server|worker)$/.exec(process) ?? [];
  const expected = [`services/${service}/dist/main.js`, ...(role === undefined ? [] : [role])];
  return JSON.stringify(args) === JSON.stringify(expected) ? [] : [`runs ${args}, not ${expected}`];
}

function attempt(work: () => void): string[] {
  try {
    work();
    return [];
  } catch (error) {
    return [String(error)];
  }
}
