/** Renders the chart with Helm, without a cluster. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { helmExecutable } from '../../local/src/toolchain';

export const CHART = join(__dirname, '..');
/** The name of the Helm release in all tests. */
export const RELEASE = 'carecover';

/** The values that have no default. */
export const MINIMUM = { publicUrl: 'https://api.example.com' };

/** Reads a file with the values or manifests of an engine: PostgreSQL, NATS or Temporal. */
export const engine = (file: string) => readFileSync(join(CHART, 'engines', file), 'utf8');

/** A Kubernetes object, as parsed from YAML. schemas.ts validates it. */
// biome-ignore lint/suspicious/noExplicitAny: the form depends on the kind
export type Manifest = any;

export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const home = mkdtempSync(join(tmpdir(), 'carecover-helm-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs Helm. @param values the values, which replace the chart's defaults */
export async function runHelm(args: readonly string[], values: object): Promise<HelmResult> {
  const executable = await helmExecutable();
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH, HOME: home, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home };
    const helm = spawn(executable, [...args, '--values', '-'], { env });
    let [stdout, stderr] = ['', ''];
    helm.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    helm.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    helm.once('error', reject);
    helm.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
    helm.stdin.end(JSON.stringify(values));
  });
}

/** Returns the Kubernetes objects of the chart. @throws Error with Helm's message if Helm rejects the values */
export async function renderChart(values: object, chart = CHART): Promise<Manifest[]> {
  const { code, stdout, stderr } = await runHelm(['template', RELEASE, chart], values);
  if (code !== 0) throw new Error(stderr);
  return parseManifests(stdout);
}

/**
 * A cache of parsed YAML documents, by their text. Most documents are the same in all renderings of the chart, and parsing takes longer
 * than rendering.
 */
const parsed = new Map<string, Manifest>();

/** Parses the objects of a file with several YAML documents. For the same text, the same object is returned. */
export function parseManifests(text: string): Manifest[] {
  return text
    .split(/^---\n/m)
    .map((document) => {
      if (!parsed.has(document)) parsed.set(document, parse(document, { merge: true }));
      return parsed.get(document);
    })
    .filter((manifest) => manifest !== null);
}
