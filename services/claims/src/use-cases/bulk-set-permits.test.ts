import { BulkSetPermits } from './bulk-set-permits';

const SECOND = 1_000;

/** Takes permits for a project until it gets none. Returns their number. */
function takeAll(permits: BulkSetPermits, project: string, nowMs: number): number {
  let taken = 0;
  while (permits.tryAcquire(project, nowMs)) taken += 1;
  return taken;
}

test('a project alone takes all permits, and gets none above them', () => {
  const permits = new BulkSetPermits(4);
  expect(takeAll(permits, 'prj_1', 0)).toBe(4);
  permits.release('prj_1');
  expect(takeAll(permits, 'prj_1', SECOND)).toBe(1);
});

test('a permit that becomes available is left for the project that got none, and only this one', () => {
  const permits = new BulkSetPermits(4);
  takeAll(permits, 'prj_1', 0);
  expect(permits.tryAcquire('prj_2', SECOND)).toBe(false);
  permits.release('prj_1');
  expect(permits.tryAcquire('prj_1', 2 * SECOND)).toBe(false);
  permits.release('prj_1');
  expect(takeAll(permits, 'prj_1', 3 * SECOND)).toBe(1);
  expect(takeAll(permits, 'prj_2', 5 * SECOND)).toBe(1);
});

test('projects that take permits as often as they can have equal shares', () => {
  const permits = new BulkSetPermits(6);
  const held: string[] = [];
  const counts = new Map<string, number>();
  for (let step = 0; step < 300; step += 1) {
    const oldest = held.length < 6 ? undefined : held.shift();
    if (oldest !== undefined) permits.release(oldest);
    for (const project of ['prj_1', 'prj_1', 'prj_1', 'prj_2', 'prj_3']) {
      if (!permits.tryAcquire(project, step * SECOND)) continue;
      held.push(project);
      if (step >= 100) counts.set(project, (counts.get(project) ?? 0) + 1);
    }
  }
  const [most, least] = [Math.max(...counts.values()), Math.min(...counts.values())];
  expect(counts.size).toBe(3);
  expect(most).toBeLessThanOrEqual(least * 1.5);
});

test('a permit is not kept for ever for a project that does not ask again', () => {
  const permits = new BulkSetPermits(2);
  takeAll(permits, 'prj_1', 0);
  expect(permits.tryAcquire('prj_2', SECOND)).toBe(false);
  permits.release('prj_1');
  expect(permits.tryAcquire('prj_1', 20 * SECOND)).toBe(true);
});
