import { fc } from '@carecover/testing';
import { matchRow, matchUnmatched } from './matching';
import type { ClaimAmount, Observation } from './remittance-status';

function unmatched(id: string, amount: number, own: Record<string, number> = {}): Observation {
  return { id, currency: 'KES', amount, matched: false, allocations: parts(own) };
}

function parts(amounts: Record<string, number>): ClaimAmount[] {
  return Object.entries(amounts).map(([claimId, amount]) => ({ claimId, amount }));
}

const ADVISED = { currency: 'KES', total: 100 };
const BOTH = parts({ a: 60, b: 40 });

describe('a row of a file', () => {
  const row = (payerReferences: string[], words: string[] = []) => ({
    sourceReference: 'B-1',
    currency: 'KES',
    amount: 100,
    observedAt: '2026-03-16T14:00:00Z',
    payerReferences,
    words,
  });
  const remittances = new Map([
    ['ERA-1', 'rem_1'],
    ['ERA-2', 'rem_2'],
  ]);

  test.each<[string, string[], string[], string | null]>([
    ['the first known reference wins over later ones', ['ERA-1', 'ERA-2'], ['ERA-2'], 'rem_1'],
    ['the next reference is used if the first is unknown', ['E2E-1', 'ERA-2'], ['ERA-1'], 'rem_2'],
    ['the only known word is used last', ['E2E-1'], ['March27', 'ERA-1', 'ERA-1'], 'rem_1'],
    ['words of two remittances match neither', [], ['ERA-1', 'ERA-2'], null],
    ['a row without a reference matches none', [], [], null],
  ])('%s', (_name, references, words, expected) => {
    const match = matchRow(row(references, words), { remittances, settlements: new Map(), rows: new Map() });
    expect(match).toMatchObject({ remittanceId: expected, recorded: null });
  });

  test.each<[string, string[], object, 'same' | 'other' | 'reversed']>([
    ['of the same remittance is the same', ['ERA-1'], { remittanceId: 'rem_1' }, 'same'],
    ['of another remittance is another', ['ERA-1'], { remittanceId: 'rem_2' }, 'other'],
    ['that an operator assigned is the same', [], { remittanceId: 'rem_2' }, 'same'],
    ['of another amount is another', [], { remittanceId: 'rem_2', amount: 99 }, 'other'],
    ['that is reversed does not record it', ['ERA-1'], { isReversed: true }, 'reversed'],
    [
      'that replaces a reversed one is the same, also of another remittance',
      ['ERA-1'],
      { remittanceId: 'rem_2', isReplacement: true },
      'same',
    ],
  ])('a settlement with its reference %s', (_name, references, recorded, expected) => {
    const settlement = {
      id: 'stl_1',
      remittanceId: 'rem_1',
      amount: 100,
      currency: 'KES',
      isReversed: false,
      isReplacement: false,
      ...recorded,
    };
    const settlements = new Map([['B-1', settlement]]);
    const match = matchRow(row(references), { remittances, settlements, rows: new Map() });
    expect(match).toMatchObject({ recorded: expected, settlementId: 'stl_1' });
  });

  test.each<[string, object, 'same' | 'dismissed' | 'other' | 'otherDismissed']>([
    ['of the same credit is the same', {}, 'same'],
    ['of the same credit can be dismissed', { isDismissed: true }, 'dismissed'],
    ['of another amount is another', { amount: 99 }, 'other'],
    ['of another currency is another', { currency: 'EUR' }, 'other'],
    ['of another time is another', { observedAt: 1, isDismissed: true }, 'otherDismissed'],
  ])('a stored row with its reference %s', (_name, stored, expected) => {
    const observedAt = Date.UTC(2026, 2, 16, 14);
    const rows = new Map([
      ['B-1', { amount: 100, currency: 'KES', observedAt, isDismissed: false, ...stored }],
    ]);
    expect(matchRow(row([]), { remittances, settlements: new Map(), rows }).stored).toBe(expected);
  });
});

describe('unmatched settlements', () => {
  test.each<[string, ClaimAmount[], Observation[], Record<string, Record<string, number>>]>([
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
    const matches = matchUnmatched(ADVISED, outstanding, unreversed);
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
          const matches = matchUnmatched({ currency: 'KES', total }, outstanding, unreversed);
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
});
