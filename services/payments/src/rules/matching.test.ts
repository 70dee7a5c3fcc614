import { fc } from '@carecover/testing';
import type { BankEntry, EntryType } from './bank-entry';
import { decideEntry, type EntryState, findRemittanceId, matchUnmatched } from './matching';
import type { ClaimAmount, ObservedSettlement } from './remittance-status';

function unmatched(id: string, amount: number, own: Record<string, number> = {}): ObservedSettlement {
  return { id, currency: 'KES', amount, matched: false, allocations: parts(own), recoveries: [] };
}

function parts(amounts: Record<string, number>): ClaimAmount[] {
  return Object.entries(amounts).map(([claimId, amount]) => ({ claimId, amount }));
}

const ADVISED = { currency: 'KES', expected: 100 };
const BOTH = parts({ a: 60, b: 40 });

const ENTRY: BankEntry = {
  type: 'credit',
  account: 'KE01',
  statement: 'S1',
  page: null,
  bankReference: 'B-1',
  entryReference: '',
  place: '1',
  references: [],
  payerReferences: ['ERA-1'],
  words: [],
  currency: 'KES',
  amount: 100,
  bookedOn: '2026-03-16',
  observedAt: '2026-03-16T14:00:00Z',
  occurrence: 0,
  batch: null,
  difference: null,
};

describe('a credit of a file', () => {
  const remittances = new Map([
    ['ERA-1', [{ id: 'rem_1', key: 'ERA-1' }]],
    ['ERA-2', [{ id: 'rem_2', key: 'ERA-2' }]],
    [
      'CASE',
      [
        { id: 'rem_3', key: 'Case' },
        { id: 'rem_4', key: 'CASE' },
      ],
    ],
  ]);
  const facts = {
    remittances,
    state: undefined,
    settlement: undefined,
    comparable: [],
    now: Date.UTC(2026, 2, 17),
  };
  const state: EntryState = {
    row: 7,
    type: 'credit',
    recorded: 0,
    returned: 0,
    doubt: null,
    isDismissed: false,
    isResolved: false,
    reversedSettlement: null,
    remittanceId: null,
  };

  test.each<[string, string[], string[], string | null]>([
    ['the first known reference wins over later ones', ['ERA-1', 'ERA-2'], ['ERA-2'], 'rem_1'],
    ['the next reference is used if the first is unknown', ['E2E-1', 'ERA-2'], ['ERA-1'], 'rem_2'],
    ['the only known word is used last', ['E2E-1'], ['March27', 'ERA-1', 'ERA-1'], 'rem_1'],
    ['words of two remittances match neither', [], ['ERA-1', 'ERA-2'], null],
    ['a row without a reference matches none', [], [], null],
    ['white space, invisible characters and case are no difference', ['era\u00a0-\u200b1'], [], 'rem_1'],
    ['the same case wins', ['Case'], [], 'rem_3'],
    ['two that differ in case alone match neither', ['case'], [], null],
  ])('%s', (_name, payerReferences, words, expected) => {
    expect(findRemittanceId({ payerReferences, words }, remittances)).toBe(expected);
  });

  test.each<[string, Partial<typeof facts> | object, Partial<BankEntry>, object]>([
    ['names a remittance', {}, {}, { outcome: 'record', remittanceId: 'rem_1' }],
    [
      'names none',
      {},
      { payerReferences: [] },
      { outcome: 'keep', reason: 'it names no remittance', doubt: null },
    ],
    ['is in the future', {}, { observedAt: '2026-03-18T00:00:00Z' }, { outcome: 'keep', doubt: null }],
    [
      'differs from its control totals',
      {},
      { difference: 'x' },
      { outcome: 'keep', doubt: expect.stringContaining('totals') },
    ],
    ['is stored and open', { state }, {}, { outcome: 'record' }],
    ['is recorded', { state: { ...state, recorded: 100 } }, {}, { outcome: 'known' }],
    ['is returned', { state: { ...state, returned: 100 } }, {}, { outcome: 'known' }],
    ['is recorded in part', { state: { ...state, recorded: 40 } }, {}, { outcome: 'keep' }],
    [
      'is returned in part',
      { state: { ...state, returned: 40 } },
      {},
      { outcome: 'keep', reason: 'a part of it was returned, and the rest is not assigned', doubt: null },
    ],
    ['is stored in doubt', { state: { ...state, doubt: 'why' } }, {}, { outcome: 'keep', reason: 'why' }],
    [
      'is dismissed, and names a remittance',
      { state: { ...state, isDismissed: true } },
      {},
      { outcome: 'record' },
    ],
    [
      'is dismissed in doubt',
      { state: { ...state, isDismissed: true, doubt: 'why' } },
      {},
      { outcome: 'dismissed' },
    ],
    ['was reversed', { state: { ...state, reversedSettlement: 'stl_1' } }, {}, { outcome: 'keep' }],
  ])('that %s', (_name, known, entry, expected) => {
    expect(decideEntry({ ...ENTRY, ...entry }, { ...facts, ...known })).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    ['that agrees in everything records it', {}, { outcome: 'known', links: ['stl_1'] }],
    ['of another remittance is in doubt', { remittanceIds: ['rem_2'] }, { outcome: 'keep' }],
    ['of another amount is in doubt', { amount: 99 }, { outcome: 'keep' }],
    ['of another currency is in doubt', { currency: 'EUR' }, { outcome: 'keep' }],
    ['of another date is in doubt', { observedOn: ['2026-03-17'] }, { outcome: 'keep' }],
    [
      'that is reversed does not record it',
      { isReversed: true },
      { outcome: 'keep', doubt: null, links: ['stl_1'] },
    ],
    [
      'that was reversed and recorded again',
      { ids: ['stl_1', 'stl_2'], amount: 200, unreversed: 100, isReversed: true },
      { outcome: 'known', links: ['stl_1', 'stl_2'] },
    ],
  ])('a settlement of a client with its reference %s', (_name, other, expected) => {
    const settlement = {
      ...{ remittanceIds: ['rem_1'], amount: 100, unreversed: 0, currency: 'KES', isReversed: false },
      ids: ['stl_1'] as [string],
      observedOn: ['2026-03-16'],
      ...other,
    };
    expect(decideEntry(ENTRY, { ...facts, settlement })).toMatchObject(expected);
  });

  test.each<[EntryType, Partial<EntryState> | undefined, string]>([
    ['debit', undefined, 'ignored'],
    ['debit_reversal', undefined, 'ignored'],
    ['takeback', undefined, 'takeback'],
    ['takeback', {}, 'takeback'],
    ['takeback', { isDismissed: true }, 'dismissed'],
    ['takeback', { isResolved: true }, 'known'],
    ['debit', { type: 'takeback' }, 'takeback'],
    ['debit', { type: 'takeback', isResolved: true }, 'known'],
    ['debit', { type: 'debit' }, 'ignored'],
  ])('an entry of the type %s that is stored as %j is %s', (type, stored, outcome) => {
    const known = { ...facts, state: stored && { ...state, type, ...stored } };
    expect(decideEntry({ ...ENTRY, type }, known).outcome).toBe(outcome);
  });
});

describe('unmatched settlements', () => {
  test.each<[string, ClaimAmount[], ObservedSettlement[], Record<string, Record<string, number>>]>([
    ['a partial one without allocations stays unmatched', BOTH, [unmatched('x', 50)], {}],
    ['a partial one settles the sole allocation', parts({ a: 100 }), [unmatched('x', 50)], { x: { a: 50 } }],
    ['its own allocations are used', BOTH, [unmatched('x', 50, { b: 40, a: 10 })], { x: { b: 40, a: 10 } }],
    [
      'the exact total settles the claims in the advice’s order',
      BOTH,
      [unmatched('x', 100)],
      { x: { a: 60, b: 40 } },
    ],
    [
      'those without allocations settle the remaining amounts',
      BOTH,
      [unmatched('x', 70), unmatched('y', 30, { a: 30 })],
      { x: { a: 30, b: 40 }, y: { a: 30 } },
    ],
    ['above the total nothing is matched', BOTH, [unmatched('x', 60, { a: 60 }), unmatched('y', 41)], {}],
    [
      'at the total, own allocations that do not fit are ignored',
      parts({ a: 0, b: 40 }),
      [{ ...unmatched('m', 60, { a: 60 }), matched: true }, unmatched('x', 40, { a: 40 })],
      { x: { b: 40 } },
    ],
    [
      'one in another currency is never matched',
      parts({ a: 100 }),
      [{ ...unmatched('e', 10), currency: 'EUR' }, unmatched('x', 10)],
      { x: { a: 10 } },
    ],
  ])('%s', (_name, outstanding, unreversed, expected) => {
    const matches = matchUnmatched(ADVISED, { allocations: outstanding, recoveries: [] }, unreversed);
    expect(Object.fromEntries(matches.map(({ id, allocations }) => [id, allocations]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([id, amounts]) => [id, parts(amounts)])),
    );
  });

  test('settle each outstanding amount exactly at the total, and each settlement is matched in full', () => {
    const share = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(
        fc.array(share, { minLength: 1, maxLength: 8 }),
        fc.array(share, { maxLength: 8 }),
        (shares, cuts) => {
          const total = shares.reduce((sum, part) => sum + part, 0);
          const points = [...new Set([...cuts.filter((cut) => cut < total), total])].sort((x, y) => x - y);
          const amounts = points.map((point, index) => point - (points[index - 1] ?? 0));
          const outstanding = shares.map((amount, index) => ({ claimId: `c${index}`, amount }));
          const unreversed = amounts.map((amount, index) => unmatched(`o${index}`, amount));
          const matches = matchUnmatched(
            { currency: 'KES', expected: total },
            { allocations: outstanding, recoveries: [] },
            unreversed,
          );
          const sum = (of: readonly ClaimAmount[]) => of.reduce((all, { amount }) => all + amount, 0);
          expect(matches.map(({ allocations }) => sum(allocations))).toEqual(amounts);
          const settled = matches.flatMap(({ allocations }) => allocations);
          for (const { claimId, amount } of outstanding) {
            expect(sum(settled.filter((part) => part.claimId === claimId))).toBe(amount);
          }
        },
      ),
    );
  });

  test('of an advice with takebacks settle all of it at the net, the last of them beyond its amount', () => {
    const outstanding = { allocations: BOTH, recoveries: parts({ c: 30, a: 5 }) };
    const advised = { currency: 'KES', expected: 65 };
    const [first, second] = [unmatched('x', 60, { a: 60 }), unmatched('y', 5)];
    expect(matchUnmatched(advised, outstanding, [first])).toEqual([
      { id: 'x', allocations: parts({ a: 60 }), recoveries: [] },
    ]);
    expect(matchUnmatched(advised, outstanding, [first, second])).toEqual([
      { id: 'x', allocations: parts({ a: 60 }), recoveries: [] },
      { id: 'y', allocations: parts({ b: 40 }), recoveries: parts({ c: 30, a: 5 }) },
    ]);
  });
});
