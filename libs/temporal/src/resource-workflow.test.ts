import { type OwnedResource, storedTenant } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { startMissingWorkflows } from './resource-workflow';

const PAGE = 2;
const resources = ['clm_1', 'clm_2', 'clm_3', 'clm_4', 'clm_5'].map(
  (id): OwnedResource => ({ id, tenant: storedTenant('prj_1'), environment: 'sandbox' }),
);

/** Makes a pass of the sweep that starts missing workflows. `missing` contains the IDs of the resources whose workflow does not run. */
function passOver(missing: Set<string>, isAvailable: () => boolean = () => true) {
  const pages: string[] = [];
  const run = startMissingWorkflows(
    PAGE,
    async (afterId, limit) => resources.filter(({ id }) => id > afterId).slice(0, limit),
    async (page) => {
      pages.push(page.map(({ id }) => id).join(' '));
      if (!isAvailable()) return null;
      return page.filter(({ id }) => missing.delete(id)).length;
    },
    createLog('test', 'silent'),
  );
  return { run, pages };
}

afterEach(() => jest.restoreAllMocks());

test('while no workflow is missing, a pass checks one page and the next pass is not soon', async () => {
  const { run, pages } = passOver(new Set());
  for (let pass = 0; pass < 4; pass++) expect(await run()).toBe(false);
  expect(pages).toEqual(['clm_1 clm_2', 'clm_3 clm_4', 'clm_5', 'clm_1 clm_2']);
});

test('if all workflows are missing, one pass starts them', async () => {
  const missing = new Set(resources.map(({ id }) => id));
  const { run, pages } = passOver(missing);
  expect(await run()).toBe(false);
  expect(missing.size).toBe(0);
  expect(pages).toEqual(['clm_1 clm_2', 'clm_3 clm_4', 'clm_5']);
});

test('a pass ends when its time is over, and the next one is soon and continues', async () => {
  let nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += 2_000;
    return nowMs;
  });
  const missing = new Set(resources.map(({ id }) => id));
  const { run, pages } = passOver(missing);
  expect(await run()).toBe(true);
  expect(pages).toEqual(['clm_1 clm_2', 'clm_3 clm_4']);
  expect(await run()).toBe(false);
  expect(missing.size).toBe(0);
});

test('while Temporal is unavailable, the same page is read again, and the next pass is not soon', async () => {
  let isAvailable = false;
  const missing = new Set(['clm_1']);
  const { run, pages } = passOver(missing, () => isAvailable);
  expect(await run()).toBe(false);
  isAvailable = true;
  await run();
  expect(missing.size).toBe(0);
  expect(pages.slice(0, 2)).toEqual(['clm_1 clm_2', 'clm_1 clm_2']);
});
