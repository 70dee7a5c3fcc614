import { CLAIM_STATUS } from '@carecover/setup/search-attributes';
import { ServiceError } from '@temporalio/client';
import { RecentSignals, signalOutdatedWorkflows } from './outdated-workflows';
import type { SignalledWorkflow } from './resource-workflow';

const workflow: SignalledWorkflow = {
  type: 'claim',
  taskQueue: 'claims',
  updates: {},
  signal: 'recorded',
  statusAttribute: CLAIM_STATUS,
  summaryOf: ({ id }) => `Claim ${id}`,
};
const PAGE = 2;

/** The statuses that running workflows show, and the statuses of resources, by ID. */
let shown: Map<string, string | null>;
let stored: Map<string, string>;
let signalled: string[];
let isAvailable: boolean;
beforeEach(() => {
  shown = new Map();
  stored = new Map();
  signalled = [];
  isAvailable = true;
});
afterEach(() => jest.restoreAllMocks());

const temporal: Parameters<typeof signalOutdatedWorkflows>[0] = {
  async *listRunning(_workflow, ids) {
    const rows = [...shown]
      .map(([id, status]) => ({ id, status }))
      .filter(({ id }) => ids?.includes(id) ?? true);
    while (rows.length > 0) {
      if (!isAvailable) throw new ServiceError('Temporal does not respond');
      yield rows.splice(0, PAGE);
    }
  },
  async signalRunning(_workflow, id) {
    if (isAvailable) signalled.push(id);
    return isAvailable;
  },
};

const newSweep = () =>
  signalOutdatedWorkflows(temporal, workflow, async (ids) =>
    [...stored].map(([id, status]) => ({ id, status })).filter(({ id }) => ids.includes(id)),
  );

function add(id: string, shownStatus: string | null, storedStatus?: string): void {
  shown.set(id, shownStatus);
  if (storedStatus !== undefined) stored.set(id, storedStatus);
}

test('a workflow whose status differs in two passes is signalled once', async () => {
  add('clm_1', 'submitted', 'submitted');
  add('clm_2', 'submitted', 'denied');
  const sweep = newSweep();
  await sweep();
  expect(signalled).toEqual([]);
  for (let pass = 0; pass < 5; pass++) await sweep();
  expect(signalled).toEqual(['clm_2']);
});

test('a workflow is not signalled if it has shown the new status or ended before the second pass', async () => {
  add('clm_1', 'submitted', 'denied');
  add('clm_2', 'submitted', 'approved');
  const sweep = newSweep();
  await sweep();
  shown.delete('clm_1');
  shown.set('clm_2', 'approved');
  for (let pass = 0; pass < 5; pass++) await sweep();
  expect(signalled).toEqual([]);
});

test('a workflow that changes between the passes is signalled only if it differs in two more', async () => {
  add('clm_1', 'submitted', 'approved');
  const sweep = newSweep();
  await sweep();
  add('clm_1', 'approved', 'partially_approved');
  await sweep();
  expect(signalled).toEqual([]);
});

test('a workflow whose resource does not exist is signalled if it shows a status', async () => {
  add('clm_1', null);
  add('clm_2', 'submitted');
  const sweep = newSweep();
  await sweep();
  await sweep();
  expect(signalled).toEqual(['clm_2']);
});

test('the pages are compared one after the other, and then again', async () => {
  for (const n of [1, 2, 3, 4, 5]) add(`clm_${n}`, 'submitted', 'denied');
  const sweep = newSweep();
  const signalledAfter: number[] = [];
  for (let pass = 0; pass < 6; pass++) {
    await sweep();
    signalledAfter.push(signalled.length);
  }
  expect(signalledAfter).toEqual([0, 2, 4, 5, 5, 5]);
  add('clm_6', 'submitted', 'denied');
  for (let pass = 0; pass < 6; pass++) await sweep();
  expect(signalled.at(-1)).toBe('clm_6');
});

test('while Temporal is unavailable, nothing is signalled; afterwards the first page is read again', async () => {
  add('clm_1', 'submitted', 'denied');
  const sweep = newSweep();
  await sweep();
  isAvailable = false;
  await sweep();
  expect(signalled).toEqual([]);
  isAvailable = true;
  await sweep();
  await sweep();
  expect(signalled).toEqual(['clm_1']);
});

test('a workflow that was signalled counts as recently signalled for ten minutes', () => {
  let nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const signals = new RecentSignals();
  signals.add('clm_1');
  nowMs = 300_000;
  signals.add('clm_2');
  nowMs = 599_999;
  expect([signals.has('clm_1'), signals.has('clm_2')]).toEqual([true, true]);
  nowMs = 600_000;
  expect([signals.has('clm_1'), signals.has('clm_2')]).toEqual([false, true]);
});
