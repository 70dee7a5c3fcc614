import { ApiError } from '@carecover/domain';
import { fc } from '@carecover/testing';
import type { Adjudication } from './facts';
import {
  type Change,
  type ClaimState,
  INITIAL_STATE,
  record,
  recordingTime,
  settlementTransition,
} from './recording';

const BY = { cause: 'cmd_1', authority: 'key_1' };
const CREATION: readonly Change[] = [
  { transition: 'create', detail: { currency: 'KES', billed: 150 }, ...BY },
  { transition: 'validate', ...BY },
  { transition: 'submit', evidenceReferences: ['note:17'], ...BY },
];

function adjudication(payer: number, version = 1): Adjudication {
  return {
    adjudication_id: `adj_${version}`,
    version,
    payer,
    patient_responsibility: 0,
    adjustment: 150 - payer,
    policy: { reference: 'policy:a', version: '1' },
  };
}

const submitted = record(INITIAL_STATE, CREATION, 1_000).state;

function transition(state: ClaimState, ...changes: Change[]): ClaimState {
  return record(state, changes, state.lastRecordedAt + 1).state;
}

const approved = transition(submitted, { transition: 'approve_in_part', detail: adjudication(100), ...BY });

test('a creation is three facts with one recorded_at, from nothing through draft to submitted', () => {
  const { facts, state } = record(INITIAL_STATE, CREATION, 1_000);
  expect(facts.map((fact) => [fact.sequence, fact.type, fact.previousStatus, fact.nextStatus])).toEqual([
    [1, 'created', null, 'draft'],
    [2, 'validated', 'draft', 'draft'],
    [3, 'submitted', 'draft', 'submitted'],
  ]);
  expect(new Set(facts.map((fact) => fact.recordedAt))).toEqual(new Set([1_000]));
  expect(state).toMatchObject({ status: 'submitted', lastSequence: 3, submissionVersion: 1 });
});

test('a commit is recorded later than all before it and than every answered cutoff, however far the clock was set back', () => {
  const state: ClaimState = { ...submitted, lastRecordedAt: 5_000, closedThrough: 7_000 };
  expect(recordingTime(1, [state], [])).toBe(7_001);
  expect(recordingTime(1, [{ ...state, closedThrough: Number.NEGATIVE_INFINITY }], [])).toBe(5_001);
  expect(recordingTime(9_000, [state], [])).toBe(9_000);
});

test('a fact is never known before it took effect', () => {
  expect(recordingTime(100, [submitted], [2_000, undefined, 50])).toBe(2_000);
});

test('a lapse and what follows it in one commit are two facts with one recorded_at', () => {
  const queried = transition(submitted, { transition: 'query', reasonCode: 'referral_missing', ...BY });
  const { facts } = record(
    queried,
    [
      { transition: 'lapse', effectiveAt: 1_500, ...BY },
      { transition: 'query', reasonCode: 'again', ...BY },
    ],
    2_000,
  );
  expect(facts.map((fact) => [fact.type, fact.effectiveAt, fact.recordedAt])).toEqual([
    ['submitted', 1_500, 2_000],
    ['queried', 2_000, 2_000],
  ]);
});

test('a rejected transition throws invalid_state and names what the claim is', () => {
  expect(() => transition(approved, { transition: 'cancel', ...BY })).toThrow(ApiError);
  expect(() => transition(approved, { transition: 'cancel', ...BY })).toThrow(
    /partially_approved.*cancelled/,
  );
});

test('a claim settles exactly when what settled is what was approved, and money taken back unsettles it', () => {
  const half = transition(approved, {
    transition: settlementTransition(approved, 60),
    detail: { amount: 60 },
    ...BY,
  });
  expect(half).toMatchObject({ status: 'partially_approved', settled: 60 });
  const full = transition(half, {
    transition: settlementTransition(half, 40),
    detail: { amount: 40 },
    ...BY,
  });
  expect(full).toMatchObject({ status: 'settled', settled: 100 });
  const back = transition(full, {
    transition: settlementTransition(full, -40),
    detail: { amount: -40 },
    ...BY,
  });
  expect(back).toMatchObject({ status: 'partially_approved', settled: 60 });
});

test('after a reversal nothing stands and what moved stays recorded, also what moves later', () => {
  const settled = transition(approved, {
    transition: settlementTransition(approved, 100),
    detail: { amount: 100 },
    ...BY,
  });
  const reversed = transition(settled, { transition: 'reverse', reasonCode: 'recorded_in_error', ...BY });
  expect(reversed).toMatchObject({ status: 'reversed', approved: null, decision: null, settled: 100 });
  const later = transition(reversed, {
    transition: settlementTransition(reversed, 5),
    detail: { amount: 5 },
    ...BY,
  });
  expect(later).toMatchObject({ status: 'reversed', settled: 105 });
});

test('a denied claim stays denied whatever is recorded on it', () => {
  const denied = transition(submitted, { transition: 'deny', detail: adjudication(0), ...BY });
  expect(
    transition(denied, { transition: settlementTransition(denied, 0), detail: { amount: 0 }, ...BY }).status,
  ).toBe('denied');
});

test('sequences have no gap and recorded_at grows from commit to commit, for any clock', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 40 }), (clock) => {
      let state = submitted;
      const recorded: number[] = [];
      for (const now of clock) {
        const change: Change = {
          transition: 'record_remittance',
          detail: { amount: 1 },
          effectiveAt: -9,
          ...BY,
        };
        const at = recordingTime(now, [state], [-9]);
        const { facts, state: after } = record(state, [change], at);
        expect(facts[0]?.sequence).toBe(state.lastSequence + 1);
        expect(at).toBeGreaterThan(state.lastRecordedAt);
        recorded.push(at);
        state = after;
      }
      expect(state.remitted ?? 0).toBe(clock.length);
    }),
  );
});
