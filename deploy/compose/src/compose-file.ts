/** Reads compose.yaml as Docker Compose does: merges YAML anchors, and inserts the default values of variables (`${NAME:-default}`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const COMPOSE_FOLDER = join(__dirname, '..');

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly networks?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly replicas?: number };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly internal?: boolean;
        readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
      } | null
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** Returns the names of the networks of a service in the compose file, sorted. */
export function networksOf({ networks = [] }: ComposeService): string[] {
  return (Array.isArray(networks) ? [...networks] : Object.keys(networks)).sort();
}

/** Returns the names of the secrets of a service in the compose file, sorted. */
export function secretsOf({ secrets = [] }: ComposeService): string[] {
  return secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)).sort();
}

/** Returns the compose file without replacing its variables, for validation against the schema of compose files. */
export function readRawComposeFile(): unknown {
  return parse(readFileSync(join(COMPOSE_FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
}

/** Returns the compose file with the default values of all variables. */
export function readComposeFile(): ComposeFile {
  return insertDefaults(readRawComposeFile()) as ComposeFile;
}

function insertDefaults(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\$|\$\{\w+:-([^}]*)\}/g, (all, fallback) => (all === '$$' ? '$' : fallback));
  }
  if (Array.isArray(value)) return value.map(insertDefaults);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, insertDefaults(inner)]));
}
