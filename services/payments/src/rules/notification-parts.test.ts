import { storedTenant } from '@carecover/domain';
import type { Notification } from '@carecover/workflow-remittance';
import { partsOf } from './notification-parts';

const tenant = storedTenant('prj_1');
const claims = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    claimId: `clm_${from + index}`,
    amount: 1,
    after: null,
  }));

test('both lines of a claim of a withdrawn advice are in one part, because claims records a cause once per claim', () => {
  const allocations = claims(0, 1_500);
  const recoveries = claims(900, 1_100).map((part) => ({ ...part, recoveryId: `rcv_${part.claimId}` }));
  const withdrawal: Notification = {
    kind: 'withdrawal',
    causeId: 'rem_1:withdrawal',
    input: {
      ...{ tenant, causeId: 'rem_1:withdrawal', remittanceId: 'rem_1', adviceId: 'adv_1' },
      ...{ reasonCode: 'sent_in_error', allocations, recoveries },
    },
  };
  const parts = partsOf(withdrawal).flatMap((part) => (part.kind === 'withdrawal' ? [part.input] : []));
  expect(parts).toHaveLength(2);
  expect(parts.flatMap((part) => part.allocations)).toEqual(allocations);
  expect(parts.flatMap((part) => part.recoveries)).toEqual(recoveries);
  const sets = parts.map(
    (part) => new Set([...part.allocations, ...part.recoveries].map(({ claimId }) => claimId)),
  );
  expect(sets.map(({ size }) => size)).toEqual([1_000, 1_000]);
});

test('a settlement that reconciles more claims than it settles names each of them in one part, and one of no claim is sent once', () => {
  const settlement = (count: number): Notification => ({
    kind: 'settlement',
    causeId: 'stl_1',
    input: {
      ...{ tenant, remittanceId: 'rem_1', causeId: 'stl_1', settlementId: 'stl_1' },
      observedAt: '2026-01-07T10:00:00.000Z',
      amounts: claims(0, Math.min(count, 3)),
      reconciled: {
        at: '2026-01-07T10:00:00.000Z',
        claimIds: claims(0, count).map(({ claimId }) => claimId),
      },
    },
  });
  const parts = partsOf(settlement(2_001)).flatMap((part) =>
    part.kind === 'settlement' ? [part.input] : [],
  );
  expect(parts.map(({ amounts }) => amounts.length)).toEqual([3, 0, 0]);
  expect(parts.map(({ reconciled }) => reconciled?.claimIds.length)).toEqual([1_000, 1_000, 1]);
  expect(partsOf(settlement(0))).toEqual([settlement(0)]);
  expect(partsOf(settlement(5))).toEqual([settlement(5)]);
});
