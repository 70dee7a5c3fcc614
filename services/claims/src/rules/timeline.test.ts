/** The steps of a timeline equal the claim's valuations at every instant, on both axes. */
import { formatInstant } from '@carecover/contract';
import { fc } from '@carecover/testing';
import {
  creation,
  decide,
  end,
  History,
  reconcile,
  recover,
  remit,
  settle,
  settleRecovery,
} from '../testing/history';
import { type TimelineStep, timelineOf } from './timeline';
import { valueAt } from './valuation';

const drawn = fc.array(
  fc.record({
    now: fc.integer({ min: 1_000, max: 9_000 }),
    ago: fc.integer({ min: 0, max: 3_000 }),
    amount: fc.integer({ min: 1, max: 9 }),
    kind: fc.constantFrom(remit, settle, decide, recover, settleRecovery),
  }),
  { maxLength: 25 },
);

const stepAt = (steps: readonly TimelineStep[], at: number) =>
  steps.findLast((step) => Date.parse(step.at) <= at);

test('for any history, each instant has the status and amounts of its valuation, as known then and as known now', () => {
  fc.assert(
    fc.property(
      drawn,
      fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 20 }),
      (steps, instants) => {
        const history = new History().commit(1_000, ...creation);
        for (const { now, ago, amount, kind } of steps) {
          const { status, remitted, settled } = history.state;
          const isPossible =
            kind === decide
              ? status !== 'settled'
              : kind === recover
                ? (remitted ?? 0) >= amount
                : kind !== settleRecovery || (settled ?? 0) >= amount;
          history.commit(now, (isPossible ? kind : remit)(amount, now - ago));
        }
        const { facts } = history;
        const end = facts.at(-1)?.recordedAt ?? 0;
        const timeline = timelineOf(facts);
        for (const at of [
          ...instants,
          ...facts.flatMap(({ recordedAt, effectiveAt }) => [recordedAt, effectiveAt]),
        ]) {
          for (const [found, valuation] of [
            [stepAt(timeline.known_then, at), valueAt('clm_1', facts, at)],
            [stepAt(timeline.known_now, at), valueAt('clm_1', facts, Math.max(end, at) + 1, at)],
          ] as const)
            expect(found && { status: found.status, amount: found.amount }).toEqual(
              valuation === null ? undefined : { status: valuation.status, amount: valuation.amount },
            );
        }
      },
    ),
  );
});

test('a fact has its billed, decided or moved amount, and the others have none', () => {
  const { facts } = new History()
    .commit(1_000, ...creation)
    .commit(2_000, decide(100, 1_900))
    .commit(3_000, remit(100, 1_950))
    .commit(4_000, settle(100, 2_000), reconcile(4_000))
    .commit(5_000, settle(-100, 5_000))
    .commit(5_500, recover(60, 5_200))
    .commit(5_600, settle(100, 5_500))
    .commit(5_700, settleRecovery(60, 5_550))
    .commit(6_000, end('reverse'));
  const timeline = timelineOf(facts);
  expect(timeline.currency).toBe('KES');
  expect(timeline.facts.map(({ type, amount }) => [type, amount])).toEqual([
    ['created', 150],
    ['validated', null],
    ['submitted', null],
    ['partially_approved', 100],
    ['remittance_recorded', 100],
    ['settled', 100],
    ['reconciled', null],
    ['settled', -100],
    ['remittance_recovered', -60],
    ['settled', 100],
    ['recovery_settled', -60],
    ['reversed', null],
  ]);
  expect(timeline.known_then.map(({ at }) => at)).toEqual(
    [1_000, 2_000, 3_000, 4_000, 5_000, 5_500, 5_600, 5_700, 6_000].map(formatInstant),
  );
});
