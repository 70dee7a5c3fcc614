import { newId } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { callsOfClaims } from '../activities';
import { findPayerReferences } from '../store/payer-contracts';
import { type Opened, open } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval, denial } from '../testing/decisions';
import { apiErrorOf, newCaller, TestBenefits } from '../testing/test-benefits';

let benefits: TestBenefits;
let claims: ReturnType<typeof callsOfClaims>;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  claims = callsOfClaims(benefits.deps);
});
afterEach(() => benefits.database.setClockOffset(0));
afterAll(() => benefits.close());

async function approved(coverage = {}): Promise<Opened> {
  const opened = await open(benefits, { coverage });
  const params = { preauthorization_id: opened.preauthorization.id };
  await benefits.call('decidePreauthorization', approval(await benefits.now()), { params });
  return opened;
}

type Use = Parameters<typeof claims.useForClaim>[0];

function submission({ booking, preauthorization }: Opened, overrides: Partial<Use> = {}): Use {
  const session: SessionSnapshot = {
    ...booking,
    practitionerId: 'prc_1',
    status: 'delivered',
    recorded: null,
  };
  return {
    tenant: benefits.caller.tenant,
    caller: benefits.caller,
    claimId: newId('clm_'),
    eligibilityCheckId: preauthorization.eligibility_check_id,
    preauthorizationId: null,
    session,
    serviceCodes: ['travel', 'psy.individual.50'],
    ...overrides,
  };
}

const codeOf = async (use: Use) => (await apiErrorOf(claims.useForClaim(use))).code;
const release = (claimId: string) => claims.releaseFromClaim({ tenant: benefits.caller.tenant, claimId });

async function state(id: string) {
  const [row] = await benefits.sql<{ status: string; used: string | null; reserved: number }[]>`
    select status, used_by_claim_id as used,
      (select count(*)::int from reservations r where r.preauthorization_id = p.id and released_at is null) as reserved
    from preauthorizations p where id = ${id}`;
  return row;
}

const coverage = { currency: 'KES', payerId: expect.stringMatching(/^payer_/), plan: 'Outpatient Plus' };

describe('a submission', () => {
  test('uses the approved pre-authorization that its check requires, named or not, and returns the currency, payer and plan', async () => {
    for (const isNamed of [true, false]) {
      const opened = await approved();
      const { id } = opened.preauthorization;
      const use = submission(opened, { preauthorizationId: isNamed ? id : null });
      expect(await claims.useForClaim(use)).toEqual({ preauthorizationId: id, ...coverage });
      expect(await state(id)).toEqual({ status: 'approved', used: use.claimId, reserved: 1 });
    }
  });

  test('without required authorization uses none, unless it names one', async () => {
    const opened = await approved({ authorization_required: false });
    const { id } = opened.preauthorization;
    expect(await claims.useForClaim(submission(opened))).toEqual({ preauthorizationId: null, ...coverage });
    expect((await state(id))?.used).toBeNull();
    const naming = submission(opened, { preauthorizationId: id });
    expect((await claims.useForClaim(naming)).preauthorizationId).toBe(id);
  });

  test('returns its first response when it is repeated, also after changes', async () => {
    const opened = await approved();
    const use = submission(opened);
    const first = await claims.useForClaim(use);
    await benefits.call('recordConsent', { member_reference: opened.memberReference, status: 'withdrawn' });
    await benefits.database.setClockOffset(91 * DAY_MS);
    expect(await claims.useForClaim(use)).toEqual(first);
  });

  test('returns one surrogate per payer of a project, which only benefits can resolve', async () => {
    const byContract = new Map<string, string[]>();
    for (const source_contract_reference of ['contract/a', 'contract/b', 'contract/a']) {
      const { payerId } = await claims.useForClaim(submission(await approved({ source_contract_reference })));
      byContract.set(source_contract_reference, [
        ...(byContract.get(source_contract_reference) ?? []),
        payerId,
      ]);
    }
    const [[a = '', a2] = [], [b = ''] = []] = [...byContract.values()];
    expect(a2).toBe(a);
    const { tenant } = benefits.caller;
    const payerIds = [a, b, 'payer_unknown'];
    expect(await findPayerReferences(benefits.sql, tenant, payerIds)).toEqual({
      [a]: 'contract/a',
      [b]: 'contract/b',
    });
    expect(await findPayerReferences(benefits.sql, newCaller().tenant, payerIds)).toEqual({});
  });

  test('an erasure removes the reference of a payer that no other coverage has, and never a surrogate', async () => {
    const person = newId('person-');
    const own = { source_contract_reference: `contract/${person}` };
    const shared = { source_contract_reference: newId('contract-') };
    const [first, second, third] = [await approved(own), await approved(shared), await approved(shared)];
    const uses = [first, second, third].map((opened) => submission(opened));
    const payerIds: string[] = [];
    for (const use of uses) payerIds.push((await claims.useForClaim(use)).payerId);
    const [ownId = '', sharedId = ''] = payerIds;
    for (const { memberReference } of [first, second]) await benefits.erase(memberReference);

    const { tenant } = benefits.caller;
    expect(await findPayerReferences(benefits.sql, tenant, payerIds)).toEqual({
      [ownId]: `erased/${ownId}`,
      [sharedId]: shared.source_contract_reference,
    });
    for (const use of uses) expect(payerIds).toContain((await claims.useForClaim(use)).payerId);
    const later = await claims.useForClaim(submission(await approved(own)));
    expect(payerIds).not.toContain(later.payerId);
  });

  test('is rejected in the order of the contract: unknown resources, consent, then the other rules', async () => {
    const opened = await open(benefits);
    const worst = submission(opened, { serviceCodes: [], preauthorizationId: 'preauth_none' });
    expect(await codeOf({ ...worst, eligibilityCheckId: 'elig_none' })).toBe('resource_not_found');
    expect(await codeOf(worst)).toBe('resource_not_found');
    expect(await codeOf({ ...worst, preauthorizationId: null, caller: newCaller() })).toBe(
      'resource_not_found',
    );
    const known = submission(opened, { serviceCodes: [] });
    await benefits.call('recordConsent', { member_reference: opened.memberReference, status: 'withdrawn' });
    expect(await codeOf(known)).toBe('consent_required');
    await benefits.call('recordConsent', { member_reference: opened.memberReference, status: 'granted' });
    expect(await codeOf(known)).toBe('service_mismatch');
    expect(await codeOf(submission(opened))).toBe('authorization_required');
  });

  test('applies the default of the project if there is no statement of consent', async () => {
    const opened = await approved();
    const careful = { ...benefits.caller, consentDefault: 'withdrawn' } as const;
    expect(await codeOf(submission(opened, { caller: careful }))).toBe('consent_required');
  });

  test('can use none that is pending, denied, cancelled, due, used, or for another check or booking', async () => {
    const pending = await open(benefits);
    expect(await codeOf(submission(pending))).toBe('authorization_required');
    const params = { preauthorization_id: pending.preauthorization.id };
    await benefits.call('decidePreauthorization', denial, { params });
    expect(await codeOf(submission(pending, { preauthorizationId: params.preauthorization_id }))).toBe(
      'authorization_required',
    );

    const used = await approved();
    await claims.useForClaim(submission(used));
    expect(await codeOf(submission(used))).toBe('authorization_required');

    const one = await approved();
    const other = await approved();
    const crossed = submission(one, { preauthorizationId: other.preauthorization.id });
    expect(await codeOf(crossed)).toBe('authorization_required');
    const elsewhere = submission(one);
    expect(await codeOf({ ...elsewhere, session: { ...elsewhere.session, bookingId: 'bkg_other' } })).toBe(
      'authorization_required',
    );

    await benefits.database.setClockOffset(90 * DAY_MS + 1_000);
    expect(await codeOf(submission(one))).toBe('authorization_required');
  });

  test('has no effect if it is rejected', async () => {
    const opened = await approved();
    const use = submission(opened, { serviceCodes: ['other'] });
    expect(await codeOf(use)).toBe('service_mismatch');
    expect((await state(opened.preauthorization.id))?.used).toBeNull();
    expect((await claims.useForClaim({ ...use, serviceCodes: ['psy.individual.50'] })).currency).toBe('KES');
  });
});

describe('a release', () => {
  test('before valid_until makes the pre-authorization usable by another claim', async () => {
    const opened = await approved();
    const use = submission(opened);
    await claims.useForClaim(use);
    await release(use.claimId);
    await release(use.claimId);
    expect(await state(opened.preauthorization.id)).toEqual({ status: 'approved', used: null, reserved: 1 });
    expect((await claims.useForClaim(submission(opened))).preauthorizationId).toBe(
      opened.preauthorization.id,
    );
  });

  test('after valid_until expires the pre-authorization immediately and releases its session', async () => {
    const opened = await approved();
    const use = submission(opened);
    await claims.useForClaim(use);
    await benefits.database.setClockOffset(91 * DAY_MS);
    await release(use.claimId);
    expect(await state(opened.preauthorization.id)).toEqual({ status: 'expired', used: null, reserved: 0 });
  });

  test('of a claim that used nothing does nothing, and a later submission of the claim uses nothing', async () => {
    const opened = await approved();
    const late = submission(opened);
    await release(late.claimId);
    expect(await codeOf(late)).toBe('invalid_state');
    expect((await state(opened.preauthorization.id))?.used).toBeNull();
  });

  test('of one claim does not release what another claim uses', async () => {
    const opened = await approved();
    const first = submission(opened);
    await claims.useForClaim(first);
    await release(first.claimId);
    const second = submission(opened);
    await claims.useForClaim(second);
    await release(first.claimId);
    expect((await state(opened.preauthorization.id))?.used).toBe(second.claimId);
  });
});

test('claims of a set lock their pre-authorizations in the order of their IDs, as an expiry does, and get their own outcomes', async () => {
  const opened = [await approved(), await approved(), await approved()];
  const ids = opened.map(({ preauthorization }) => preauthorization.id).sort();
  const [lowest = '', , highest = ''] = ids;
  // The last is found by its booking, and the first claim has the greatest ID.
  const uses = opened
    .toSorted((one, other) => (one.preauthorization.id < other.preauthorization.id ? 1 : -1))
    .map((each, index) =>
      submission(each, { preauthorizationId: index === 2 ? null : each.preauthorization.id }),
    );
  const { tenant } = benefits.caller;
  const lock = (tx: Tx, id: string) => tx`select from preauthorizations where id = ${id} for update nowait`;
  let outcomes: Promise<unknown> | undefined;
  await benefits.sql.begin(async (tx) => {
    await lock(tx, lowest);
    outcomes = claims.useForClaims({ tenant, caller: benefits.caller, claims: uses });
    await eventually('the set waits for a lock', async () => {
      const waiting = await benefits.sql`select from pg_locks where not granted`;
      return waiting.length > 0;
    });
    await benefits.sql.begin((other) => lock(other, highest));
  });
  expect(await outcomes).toEqual(
    ids.toReversed().map((preauthorizationId) => ({ preauthorizationId, ...coverage })),
  );
});
