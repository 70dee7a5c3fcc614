import { fc } from '@carecover/testing';
import { creation, decide, end, History, remit, settle } from '../testing/history';
import { valueAt } from './valuation';

const CLAIM = 'clm_1';

test('before the first event there is no value', () => {
  const { facts } = new History().commit(1_000, ...creation);
  expect(valueAt(CLAIM, facts, 999)).toBeNull();
  expect(valueAt(CLAIM, facts, 1_000)?.status).toBe('submitted');
});

test('a cutoff between effective_at and recorded_at does not know the fact; one at recorded_at does', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(100, 1_900))
    .commit(9_000, remit(100, 1_950));
  for (const cutoff of [1_950, 5_000, 8_999]) {
    expect(valueAt(CLAIM, facts, cutoff)?.amount.remitted).toBe(0);
  }
  expect(valueAt(CLAIM, facts, 9_000)?.amount.remitted).toBe(100);
  expect(valueAt(CLAIM, facts, 1_950)?.amount.payer_liability).toBeNull();
  expect(valueAt(CLAIM, facts, 2_000)?.amount.payer_liability).toBe(100);
});

test('an earlier instant as it is known at the cutoff counts what took effect by then, whenever it was recorded', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(100, 1_900))
    .commit(9_000, remit(100, 1_950));
  const { id, valuation_at, amount, events } = valueAt(CLAIM, facts, 9_000, 1_950) ?? {};
  expect(amount).toMatchObject({ payer_liability: 100, remitted: 100 });
  expect(events?.map(({ type }) => type).slice(3)).toEqual(['partially_approved', 'remittance_recorded']);
  expect([id, valuation_at]).toEqual([
    'clm_1:1970-01-01T00:00:09.000Z:1970-01-01T00:00:01.950Z',
    '1970-01-01T00:00:09.000Z',
  ]);
  expect(valueAt(CLAIM, facts, 8_999, 1_950)?.amount.remitted).toBe(0);
  expect(valueAt(CLAIM, facts, 9_000, 1_949)?.amount.remitted).toBe(0);
  expect(valueAt(CLAIM, facts, 9_000, 1_899)?.amount.payer_liability).toBeNull();
});

test('by an instant before the creation took effect there is no value, also if an earlier advice is known now', () => {
  const { facts } = new History().commit(1_000, ...creation).commit(2_000, remit(100, 500));
  expect(valueAt(CLAIM, facts, 2_000, 999)).toBeNull();
  expect(valueAt(CLAIM, facts, 2_000, 1_000)?.amount.remitted).toBe(100);
});

test('a settlement that took effect before the decision that grants it leaves nothing outstanding, never less', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(50, 2_000))
    .commit(3_000, decide(100, 3_000))
    .commit(4_000, settle(100, 2_500));
  expect(valueAt(CLAIM, facts, 4_000, 2_500)?.amount).toMatchObject({
    payer_liability: 50,
    settled: 100,
    outstanding: 0,
  });
});

test('if both instants are equal, the valuation is that of the cutoff alone', () => {
  const { facts } = new History().commit(1_000, ...creation).commit(2_000, decide(100, 1_900));
  expect(valueAt(CLAIM, facts, 2_000, 2_000)).toEqual(valueAt(CLAIM, facts, 2_000));
});

test('outstanding is the liability less what settled; both are null while no adjudication stands', () => {
  const history = new History().commit(1_000, ...creation);
  expect(valueAt(CLAIM, history.facts, 1_500)).toMatchObject({
    policy: null,
    amount: {
      payer_liability: null,
      patient_responsibility: null,
      adjustment: null,
      outstanding: null,
      remitted: 0,
      settled: 0,
    },
  });
  history.commit(2_000, decide(100, 2_000)).commit(3_000, settle(60, 2_500));
  expect(valueAt(CLAIM, history.facts, 3_000)).toMatchObject({
    status: 'partially_approved',
    policy: { reference: 'policy:outpatient', version: '2026.1' },
    amount: { payer_liability: 100, settled: 60, outstanding: 40 },
  });
  history.commit(4_000, settle(40, 3_500));
  expect(valueAt(CLAIM, history.facts, 4_000)).toMatchObject({
    status: 'settled',
    amount: { outstanding: 0 },
  });
  history.commit(5_000, end('reverse'));
  expect(valueAt(CLAIM, history.facts, 5_000)).toMatchObject({
    status: 'reversed',
    policy: null,
    amount: { payer_liability: null, outstanding: null, settled: 100 },
  });
  expect(valueAt(CLAIM, history.facts, 4_999)).toMatchObject({
    status: 'settled',
    amount: { payer_liability: 100 },
  });
});

test('a second adjudication replaces the first from its own recording on', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(100, 2_000))
    .commit(3_000, decide(0, 2_900));
  expect(valueAt(CLAIM, facts, 2_999)).toMatchObject({
    status: 'partially_approved',
    amount: { outstanding: 100 },
  });
  expect(valueAt(CLAIM, facts, 3_000)).toMatchObject({ status: 'denied', amount: { outstanding: 0 } });
});

test('for any history and clock, a cutoff is answered by the facts recorded until then, and later facts never change it', () => {
  const step = fc.record({
    now: fc.integer({ min: 0, max: 5_000 }),
    ago: fc.integer({ min: 0, max: 3_000 }),
    amount: fc.integer({ min: 1, max: 9 }),
    kind: fc.constantFrom(remit, settle),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 25 }),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 20 }),
      (steps, cutoffs) => {
        const history = new History().commit(1_000, ...creation).commit(1_100, decide(100, 1_050));
        const answered = new Map<number, string>();
        for (const { now, ago, amount, kind } of steps) {
          for (const cutoff of cutoffs) {
            // As in the service, a cutoff is final when a fact with the same or a later recorded_at exists. The test stores the valuation
            // at a final cutoff and compares it at the end.
            if (cutoff <= history.state.lastRecordedAt && !answered.has(cutoff))
              answered.set(cutoff, JSON.stringify(valueAt(CLAIM, history.facts, cutoff)));
          }
          history.commit(now, kind(amount, now - ago));
        }
        for (const [cutoff, text] of answered) {
          expect(JSON.stringify(valueAt(CLAIM, history.facts, cutoff))).toBe(text);
        }
        for (const cutoff of cutoffs) {
          const value = valueAt(CLAIM, history.facts, cutoff);
          const known = history.facts.filter((fact) => fact.recordedAt <= cutoff);
          expect(value?.events.length ?? 0).toBe(known.length);
          expect(value?.status).toBe(known.at(-1)?.nextStatus);
        }
      },
    ),
  );
});
