import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpMetrics, metricsRegistry } from '@carecover/telemetry';
import { parse } from 'yaml';

const FOLDER = join(__dirname, '..');
const ROOT = join(FOLDER, '../..');

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly summary: string; readonly runbook: string };
    }[];
  }[];
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8'));
const alerts: Alerts = parse(readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8'));
const rules = alerts.groups.flatMap((group) => group.rules);

/** Returns the names of all metrics that the source code and the Node.js runtime define, each also with the suffixes of a histogram. */
async function definedMetrics(): Promise<Set<string>> {
  const services = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/src`);
  const libraries = readdirSync(join(ROOT, 'libs')).filter((name) =>
    existsSync(join(ROOT, 'libs', name, 'src')),
  );
  const folders = [...libraries.map((name) => `libs/${name}/src`), ...services];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(ROOT, folder, path), 'utf8')),
  );
  const own = sources.flatMap((text) =>
    [...text.matchAll(/name: '(carecover_\w+)'/g)].map((match) => match[1]),
  );
  new HttpMetrics('test');
  const runtime = (await metricsRegistry.getMetricsAsJSON()).map(({ name }) => name);
  const names = [...own, ...runtime].filter((name) => name !== undefined);
  return new Set([
    'up',
    ...names.flatMap((name) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]),
  ]);
}

function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\b(carecover_\w+|nodejs_\w+|process_\w+|up)\b(?=[[{)]|\s*[<>=])/g)].map(
    (match) => match[1] ?? '',
  );
}

test('the code defines every metric that the dashboard and the alerts use', async () => {
  const defined = await definedMetrics();
  const expressions = [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...rules.map(({ expr }) => expr),
  ];
  for (const expression of expressions) {
    const names = metricsIn(expression);
    expect([expression, names.length > 0]).toEqual([expression, true]);
    expect([expression, names.filter((name) => !defined.has(name))]).toEqual([expression, []]);
  }
});

test('every metric of Carecover is on the dashboard and explained', async () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const shown = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => metricsIn(expr)),
  );
  const own = [...(await definedMetrics())].filter((name) => /^carecover_/.test(name));
  for (const name of own.filter((each) => !/_(count|bucket|sum)$/.test(each))) {
    expect([name, shown.some((each) => each.startsWith(name))]).toEqual([name, true]);
    expect([name, readme.includes(`\`${name}\``)]).toEqual([name, true]);
  }
});

test('panels have unique IDs and do not overlap', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('every alert links to its section of the runbooks, and every section has an alert', () => {
  const runbooks = readFileSync(join(ROOT, 'docs/operators/runbooks.md'), 'utf8');
  const anchors = [...runbooks.matchAll(/^## (.+)$/gm)].map((match) =>
    (match[1] ?? '').toLowerCase().replaceAll(' ', '-'),
  );
  for (const { annotations } of rules) {
    const [path, anchor] = annotations.runbook.split('#');
    expect(path).toBe('docs/operators/runbooks.md');
    expect(anchors).toContain(anchor);
  }
  expect(rules.map(({ annotations }) => annotations.runbook.split('#')[1]).sort()).toEqual(anchors.sort());
});
