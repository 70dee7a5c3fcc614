/** The eligibility checks of lines of bulk jobs: the same rules as the operation, once per key, and dry runs. */
import type { EligibilityCheckInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { countSentDuring } from '@carecover/testing/services';
import { callsOfClaims } from '../activities';
import { observation, useBenefits } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { apiErrorOf, newCaller } from '../testing/test-benefits';

const running = useBenefits();

type Line = Parameters<ReturnType<typeof callsOfClaims>['createEligibilityChecks']>[0]['checks'][number];

function makeChecks(checks: readonly Line[], isDryRun = false, caller = running.benefits.caller) {
  const { tenant } = running.benefits.caller;
  return callsOfClaims(running.benefits.deps).createEligibilityChecks({ tenant, caller, isDryRun, checks });
}

/** Records a coverage, and returns a line with a check of its member, by default of a session of yesterday. */
async function lineOf(changes: Partial<EligibilityCheckInput> = {}): Promise<Line> {
  const now = await running.benefits.now();
  const coverage = observation(now);
  await running.benefits.call('createCoverage', coverage);
  const { member_reference, service_code } = coverage;
  const scheduled_at = new Date(now - DAY_MS).toISOString();
  return {
    key: newId('key_'),
    check: {
      ...{ member_reference, service_code, scheduled_at, retrospective: true },
      ...{ amount: 350_000, currency: 'KES', ...changes },
    },
  };
}

async function checkCount(): Promise<number> {
  const [row] = await running.benefits.sql<{ count: number }[]>`
    select count(*)::integer as count from eligibility_checks where project_id = ${running.benefits.caller.tenant}`;
  return row?.count ?? Number.NaN;
}

test('each line has one check per key; a rejected one does not affect the others', async () => {
  const withdrawn = await lineOf();
  const { member_reference } = withdrawn.check;
  await running.benefits.call('recordConsent', { member_reference, status: 'withdrawn' });
  const lines = [await lineOf(), await lineOf({ retrospective: false }), withdrawn, await lineOf()];
  const outcomes = await makeChecks(lines);
  expect(outcomes).toMatchObject([
    { eligibilityCheckId: expect.stringMatching(/^elig_/) },
    { code: 'session_in_past', message: expect.stringContaining('/scheduled_at') },
    { code: 'consent_required' },
    { eligibilityCheckId: expect.stringMatching(/^elig_/) },
  ]);
  expect(await makeChecks(lines)).toEqual(outcomes);
  expect(await checkCount()).toBe(2);
});

test('calls with the same lines at once, in any order, make each check once', async () => {
  const lines = await Promise.all([lineOf(), lineOf(), lineOf()]);
  const calls = await Promise.all(
    Array.from({ length: 6 }, (_, call) => makeChecks(call % 2 === 0 ? lines : [...lines].reverse())),
  );
  const [first] = calls;
  for (const [call, outcomes] of calls.entries())
    expect(call % 2 === 0 ? outcomes : [...outcomes].reverse()).toEqual(first);
  expect(await checkCount()).toBe(3);
});

test('a check that was made is found again after what it was decided on has changed', async () => {
  const lines = [await lineOf(), await lineOf()];
  const outcomes = await makeChecks(lines);
  for (const { check } of lines) {
    const { member_reference } = check;
    await running.benefits.call('recordConsent', { member_reference, status: 'withdrawn' });
  }
  expect(await makeChecks(lines)).toEqual(outcomes);
  const others = lines.map((line) => ({ ...line, key: newId('key_') }));
  expect(await makeChecks(others)).toMatchObject([
    { code: 'consent_required' },
    { code: 'consent_required' },
  ]);
});

test('the checks of many lines take no more statements than those of two', async () => {
  const lines = await Promise.all(Array.from({ length: 12 }, () => lineOf()));
  const few = await countSentDuring(() => makeChecks(lines.slice(0, 2)));
  expect(await countSentDuring(() => makeChecks(lines.slice(2)))).toBe(few);
});

test('in a dry run, checks are decided and none is made', async () => {
  const outcomes = await makeChecks([await lineOf(), await lineOf({ retrospective: false })], true);
  expect(outcomes).toMatchObject([{ eligibilityCheckId: expect.any(String) }, { code: 'session_in_past' }]);
  expect(await checkCount()).toBe(0);
});

test('a call for a client of another project is rejected', async () => {
  const { code } = await apiErrorOf(makeChecks([await lineOf()], false, newCaller()));
  expect(code).toBe('resource_not_found');
});
