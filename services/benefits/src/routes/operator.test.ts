import { newId } from '@carecover/domain';
import { callsOfClaims } from '../activities';
import { open } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval } from '../testing/decisions';
import { apiErrorOf, newCaller, TestBenefits } from '../testing/test-benefits';
import { operatorRoutes } from './operator';

let benefits: TestBenefits;

beforeAll(async () => {
  benefits = await TestBenefits.open();
});
beforeEach(() => {
  benefits.caller = newCaller();
});
afterAll(() => benefits.close());

async function ask(path: string, params = {}, caller = benefits.caller) {
  const route = operatorRoutes(benefits.sql).find((each) => each.path === path);
  if (route === undefined) throw new Error(`there is no route ${path}`);
  return route.handle(caller, params, null);
}

async function idsOf(path: string, caller = benefits.caller) {
  const { data, has_more } = (await ask(path, {}, caller)) as { data: { id: string }[]; has_more: boolean };
  expect(has_more).toBe(false);
  return data.map(({ id }) => id);
}

test("an operator reads the member's reference of a pre-authorization of the project alone", async () => {
  const { preauthorization, memberReference } = await open(benefits);
  const member = (id: string, caller = benefits.caller) =>
    ask('/preauthorizations/:preauthorization/member', { preauthorization: id }, caller);
  await expect(member(preauthorization.id)).resolves.toEqual({ member_reference: memberReference });
  for (const [unknown, caller] of [
    [preauthorization.id, newCaller()],
    ['preauth_unknown', benefits.caller],
    ['\0', benefits.caller],
  ] as const)
    await expect(member(unknown, caller)).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('an operator reads the pre-authorizations that wait for a decision, oldest first', async () => {
  const first = await open(benefits);
  const second = await open(benefits);
  const path = '/oldest_preauthorizations/pending';
  expect(await idsOf(path)).toEqual([first.preauthorization.id, second.preauthorization.id]);
  expect(await idsOf(path, newCaller())).toEqual([]);
});

test('an operator reads the approved and unused pre-authorizations in the order in which they expire', async () => {
  const approve = async (days: number) => {
    const opened = await open(benefits);
    const { id } = opened.preauthorization;
    const body = approval(await benefits.now(), { validForMs: days * DAY_MS });
    await benefits.call('decidePreauthorization', body, { params: { preauthorization_id: id } });
    return opened;
  };
  const [late, soon, used] = [await approve(30), await approve(5), await approve(2)];
  await callsOfClaims(benefits.deps).useForClaim({
    tenant: benefits.caller.tenant,
    caller: benefits.caller,
    claimId: newId('clm_'),
    eligibilityCheckId: used.preauthorization.eligibility_check_id,
    preauthorizationId: null,
    session: { ...used.booking, practitionerId: 'prc_1', status: 'delivered', recorded: null },
    serviceCodes: ['travel', 'psy.individual.50'],
  });
  const path = '/preauthorizations_next_to_expire';
  expect(await idsOf(path)).toEqual([soon.preauthorization.id, late.preauthorization.id]);
  expect(await idsOf(path, newCaller())).toEqual([]);
});

test("an operator reads the project's rejected commands", async () => {
  const { preauthorization, memberReference } = await open(benefits);
  const params = { preauthorization_id: preauthorization.id };
  const tooMuch = approval(await benefits.now(), { approved_amount: 350_001 });
  const rejection = await apiErrorOf(benefits.call('decidePreauthorization', tooMuch, { params }));
  const { authority, requestId } = benefits.caller;
  const listed = await ask('/rejected_commands');
  expect(listed).toEqual({
    data: [
      {
        resource_id: preauthorization.id,
        operation: 'decidePreauthorization',
        actor: authority,
        request_id: requestId,
        code: 'amount_exceeds_request',
        message: rejection.message,
        rejected_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
  });
  expect(JSON.stringify(listed)).not.toContain(memberReference);
  expect(await ask('/rejected_commands', {}, newCaller())).toEqual({ data: [] });
});
