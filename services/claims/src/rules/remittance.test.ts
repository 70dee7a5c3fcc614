/** When a recovery and its settlement take effect, and what is too early. */
import { ApiError } from '@carecover/domain';
import { creation, decide, History, recover, remit, settle, settleRecovery } from '../testing/history';
import { withdrawalChanges } from './remittance';
import { valueAt } from './valuation';

const DAY = 86_400_000;
const T = Date.parse('2026-03-02T08:00:00.000Z');
const day = (number: number) => T + number * DAY;

const decided = () => new History().commit(T, ...creation).commit(day(1), decide(100, day(1)));
const remitted = () => decided().commit(day(4), remit(100, day(3)));

/** Returns what a claim's valuation at its last fact shows by each day. */
const byDay = ({ facts }: History, sum: 'remitted' | 'settled', days: readonly number[]) => {
  const now = facts.at(-1)?.recordedAt ?? 0;
  return days.map((number) => valueAt('clm_1', facts, now, day(number))?.amount[sum]);
};

test('a recovery takes effect when the advice was received, and names advice, recovery and reasons', () => {
  const history = remitted().commit(day(9), recover(30, day(6)));
  expect(history.facts.at(-1)).toMatchObject({
    type: 'remittance_recovered',
    effectiveAt: day(6),
    recordedAt: day(9),
    previousStatus: 'partially_approved',
    nextStatus: 'partially_approved',
    reasonCode: 'overpayment',
    evidenceReferences: ['rcv_1', 'adv_1'],
    cause: 'rcv_1',
    authority: 'service:payments',
    detail: { amount: 30, advice_id: 'adv_1', reason_codes: ['overpayment', 'duplicate_claim'] },
  });
  expect(byDay(history, 'remitted', [2, 3, 5, 6])).toEqual([0, 100, 100, 70]);
});

test('a recovery of an advice that was received before what it takes back takes effect with it', () => {
  expect(byDay(remitted().commit(day(9), recover(30, day(2))), 'remitted', [2, 3, 9])).toEqual([0, 70, 70]);
  const twice = decided()
    .commit(day(4), remit(60, day(3)))
    .commit(day(6), remit(40, day(5)))
    .commit(day(9), recover(50, day(2)))
    .commit(day(9), recover(50, day(2), 'rcv_2'));
  expect(byDay(twice, 'remitted', [2, 3, 4, 5, 9])).toEqual([0, 10, 10, 0, 0]);
});

test('a recovery of more than is remitted and not taken back is too early', () => {
  const take = (history: History, amount: number) => () =>
    history.commit(day(9), recover(amount, day(6), `rcv_${amount}`));
  expect(take(decided(), 1)).toThrow(ApiError);
  expect(take(remitted(), 101)).toThrow('101 to take back is not recorded as remitted yet');
  expect(take(remitted(), 100)).not.toThrow();
  expect(take(remitted().commit(day(8), recover(60, day(6))), 41)).toThrow('not recorded as remitted yet');
});

test('the settlement of a recovery lowers what is settled, returns a settled claim to its decision, and can take effect no earlier than what it lowers', () => {
  const settled = remitted().commit(day(8), settle(100, day(7)));
  expect(settled.state).toMatchObject({ status: 'settled', remitted: 100, settled: 100 });
  settled.commit(day(9), recover(100, day(8)));
  expect(settled.state).toMatchObject({ status: 'settled', remitted: 0, settled: 100 });
  expect(() => settled.commit(day(9), settleRecovery(101, day(9)))).toThrow('not recorded as settled yet');
  settled.commit(day(10), settleRecovery(100, day(5)));
  expect(settled.state).toMatchObject({ status: 'partially_approved', remitted: 0, settled: 0 });
  expect(byDay(settled, 'settled', [5, 6, 7, 9])).toEqual([0, 0, 0, 0]);
  settled.commit(day(11), remit(100, day(11))).commit(day(12), settle(100, day(12)));
  expect(settled.state).toMatchObject({ status: 'settled', remitted: 100, settled: 100 });
});

describe('the withdrawal of an advice that took back and paid the same claim', () => {
  const withdrawal = {
    ...{ tenant: 'prj_1', causeId: 'rem_2:withdrawal', remittanceId: 'rem_2', adviceId: 'adv_2' },
    reasonCode: 'sent_in_error',
    allocations: [{ claimId: 'clm_1', amount: 80, after: 'rcv_2' }],
    recoveries: [{ claimId: 'clm_1', recoveryId: 'rcv_1', amount: 100, after: 'rcv_2' }],
  };
  const changesOf = ({ state }: History) => withdrawalChanges(withdrawal, 'clm_1', state);

  test('is recorded although less than its allocation is remitted, because its recovery raises it', () => {
    const history = remitted()
      .commit(day(5), recover(100, day(5)), remit(80, day(5)))
      .commit(day(6), recover(50, day(6), 'rcv_2'));
    history.commit(day(7), ...changesOf(history).map((change) => () => change));
    expect(history.state.remitted).toBe(50);
    // The sum is below zero after no fact, so a later recovery can take effect as early as before.
    history.commit(day(8), recover(30, day(6), 'rcv_3'));
    expect(byDay(history, 'remitted', [4, 5, 6, 7])).toEqual([100, 80, 0, 20]);
  });

  test('is too early while less than its net is remitted', () => {
    expect(() => withdrawalChanges({ ...withdrawal, recoveries: [] }, 'clm_1', decided().state)).toThrow(
      '80 of the withdrawn rem_2 is not recorded as remitted yet',
    );
    expect(() => changesOf(decided())).not.toThrow();
  });
});
