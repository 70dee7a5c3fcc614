/**
 * Measures the pages of the console over data sets of the sizes in `--claims`: the time until the whole HTML was received, the part of that
 * time in which the console waits for no other service, and the compressed size of the HTML. One person opens one page at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Visitor, visitAs } from '@carecover/testing/stack';
import { generateClaims, progressOf, usualPortfolio } from '../dataset/copies';
import { kindNames } from '../dataset/kinds';
import { makeTemplates } from '../dataset/templates';
import type { BenchStack } from '../harness/bench-stack';
import { createInOrder } from '../harness/in-parallel';
import { percentile } from '../harness/measure';
import { formatFigure, formatTable, printJson } from '../harness/report';
import type { Size } from '../harness/size';
import { valueByRun } from '../portfolio/sums';
import type { Benchmark } from './benchmark';

/**
 * The pause before each page in milliseconds. With this pause, the person stays below the console's limit of 600 requests per minute, and
 * the page of a claim stays below Temporal's limit of ten lists of runs per second.
 */
const PAUSE_MS = 150;

interface Opened {
  readonly ms: number;
  /** The part of the duration `ms` in which the console waited for no response of another service, in milliseconds. */
  readonly ownMs: number;
  readonly html: string;
}

/** Opens a page after a pause. @throws Error if the page is not shown */
async function open(visitor: Visitor, path: string): Promise<Opened> {
  await sleep(PAUSE_MS);
  const startedAt = performance.now();
  const { status, html, headers } = await visitor.get(path);
  const ms = performance.now() - startedAt;
  if (status !== 200) throw new Error(`${path}: ${status}`);
  const [, serviceMs] = /services;dur=([\d.]+)/.exec(headers.get('server-timing') ?? '') ?? [];
  if (serviceMs === undefined) throw new Error(`${path}: no Server-Timing`);
  return { ms, ownMs: ms - Number(serviceMs), html };
}

/** Returns the paths of the pages in the project, by the names under which they are printed. */
async function pagesOf({ client, world, projectId }: BenchStack, runId: string): Promise<[string, string][]> {
  const [claim, preauthorization, remittance, settlement, endpoint] = await Promise.all([
    world.createAdjudicatedClaim(),
    client.preauthorizations.list({ limit: 1 }).then(({ data }) => data[0]?.id),
    client.remittances.list({ limit: 1 }).then(({ data }) => data[0]?.id),
    client.settlements.list({ limit: 1 }).then(({ data }) => data[0]?.source_reference),
    world.createEndpoint().then(({ id }) => id),
  ]);
  const pages = {
    Today: '/today',
    'Search by ID': `/search?q=${claim.id}`,
    'Search by reference': `/search?q=${settlement}`,
    Claims: '/claims',
    'Claims by status': '/claims?status=settled',
    'A claim': `/claims/${claim.id}`,
    'The form of an adjudication': `/claims/${claim.id}/adjudicate`,
    'Pre-authorizations': '/preauthorizations',
    'A pre-authorization': `/preauthorizations/${preauthorization}`,
    Remittances: '/remittances?status=reconciled',
    'A remittance': `/remittances/${remittance}`,
    'Unmatched rows': '/unmatched-rows',
    Receivables: '/receivables',
    'Valuation runs': '/valuation-runs',
    'A valuation run with a triangle': `/valuation-runs/${runId}`,
    'Webhook endpoints': '/webhooks',
    'A webhook endpoint': `/webhooks/${endpoint}`,
    Settings: '/settings',
    Keys: '/keys',
    'Rejected commands': '/rejected-commands',
    'Audit log': '/audit-log',
  };
  return Object.entries(pages).map(([name, path]) => [name, `/projects/${projectId}${path}`]);
}

export const consolePages: Benchmark = async (stack, size: Size) => {
  // The templates of all data sets are made before the first data set is generated, because making a template reads all rows of the
  // database.
  const prepared = await createInOrder(size.claims, async (claims) => {
    const project = await stack.openProject();
    return { claims, project, templates: await makeTemplates(project) };
  });
  for (const { claims, project, templates } of prepared) {
    const generated = Math.max(claims - kindNames.length, kindNames.length);
    await generateClaims(
      project.databaseUrl(),
      templates,
      { ...usualPortfolio, claims: generated },
      { onProgress: progressOf(claims) },
    );
    const { id } = await valueByRun(project, {
      valuation_at: new Date().toISOString(),
      kind: 'development',
      development: { origin: 'service_month', step: 'month', measures: ['billed', 'outstanding'] },
    });
    const { visitor } = await visitAs(project.consoleUrl, 'administrator');
    const rows = [];
    for (const [name, path] of await pagesOf(project, id)) {
      const { html } = await open(visitor, path);
      const times: Opened[] = [];
      for (let count = 0; count < size.prepared; count += 1) times.push(await open(visitor, path));
      const [all, own] = (['ms', 'ownMs'] as const).map((field) =>
        times.map((each) => each[field]).sort((a, b) => a - b),
      );
      rows.push({
        page: name,
        p50Ms: percentile(all ?? [], 0.5),
        p95Ms: percentile(all ?? [], 0.95),
        ownP95Ms: percentile(own ?? [], 0.95),
        kB: gzipSync(html).length / 1_000,
      });
    }
    const header = ['page', 'p50 ms', 'p95 ms', 'p95 ms without services', 'kB compressed'];
    const cells = rows.map(({ page, p50Ms, p95Ms, ownP95Ms, kB }) => [
      page,
      ...[p50Ms, p95Ms, ownP95Ms, kB].map(formatFigure),
    ]);
    process.stdout.write(`\nPages of the console, ${claims} claims\n${formatTable([header, ...cells], 0)}\n`);
    printJson({ benchmark: 'console', claims, rows });
  }
};
