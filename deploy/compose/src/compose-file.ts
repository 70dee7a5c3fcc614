/** Reads compose.yaml as an engine would, as far as the tests need it: anchors merged, `${NAME:-default}` filled in. */
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
}

export interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** By name, sorted; a network or secret may be given with more than its name. */
export function networksOf({ networks = [] }: ComposeService): string[] {
  return (Array.isArray(networks) ? [...networks] : Object.keys(networks)).sort();
}

export function secretsOf({ secrets = [] }: ComposeService): string[] {
  return secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)).sort();
}

/** The file as it is, for the schema. */
export function rawComposeFile(): unknown {
  return parse(readFileSync(join(COMPOSE_FOLDER, 'compose.yaml'), 'utf8'), { merge: true });
}

/** With no variable of the outside set. */
export function composeFile(): ComposeFile {
  return fill(rawComposeFile()) as ComposeFile;
}

function fill(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\$|\$\{\w+:-([^}]*)\}/g, (all, fallback) => (all === '$$' ? '$' : fallback));
  }
  if (Array.isArray(value)) return value.map(fill);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
}
