import { fc } from '@carecover/testing';
import { matchWaiting } from './matching';
import type { ClaimAmount, Observation } from './observation';

function waits(id: string, amount: number, own: Record<string, number> = {}): Observation {
  return { id, currency: 'KES', amount, matched: false, allocations: parts(own) };
}

function parts(amounts: Record<string, number>): ClaimAmount[] {
  return Object.entries(amounts).map(([claimId, amount]) => ({ claimId, amount }));
}

const ADVISED = { currency: 'KES', total: 100 };
const BOTH = parts({ a: 60, b: 40 });

describe('what waits', () => {
  test.each<[string, ClaimAmount[], Observation[], Record<string, Record<string, number>>]>([
    ['a partial one without allocations goes on waiting', BOTH, [waits('x', 50)], {}],
    ['a partial one goes to a sole allocation', parts({ a: 100 }), [waits('x', 50)], { x: { a: 50 } }],
    ['allocations of its own hold', BOTH, [waits('x', 50, { b: 40, a: 10 })], { x: { b: 40, a: 10 } }],
    [
      'the exact total fills the claims in the advice’s order',
      BOTH,
      [waits('x', 100)],
      { x: { a: 60, b: 40 } },
    ],
    [
      'those without allocations take what others leave',
      BOTH,
      [waits('x', 70), waits('y', 30, { a: 30 })],
      { x: { a: 30, b: 40 }, y: { a: 30 } },
    ],
    ['above the total nothing is matched', BOTH, [waits('x', 60, { a: 60 }), waits('y', 41)], {}],
    [
      'at the total own allocations that no longer fit give way',
      parts({ a: 0, b: 40 }),
      [{ ...waits('m', 60, { a: 60 }), matched: true }, waits('x', 40, { a: 40 })],
      { x: { b: 40 } },
    ],
    [
      'money in another currency is never matched',
      parts({ a: 100 }),
      [{ ...waits('e', 10), currency: 'EUR' }, waits('x', 10)],
      { x: { a: 10 } },
    ],
  ])('%s', (_name, lacking, standing, expected) => {
    const matches = matchWaiting(ADVISED, lacking, standing);
    expect(Object.fromEntries(matches.map(({ id, allocations }) => [id, allocations]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([id, amounts]) => [id, parts(amounts)])),
    );
  });

  test('at the total settles each remainder to the unit, and each observation in full', () => {
    const share = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(
        fc.array(share, { minLength: 1, maxLength: 8 }),
        fc.array(share, { maxLength: 8 }),
        (lacks, cuts) => {
          const total = lacks.reduce((sum, lack) => sum + lack, 0);
          const points = [...new Set([...cuts.filter((cut) => cut < total), total])].sort((x, y) => x - y);
          const amounts = points.map((point, index) => point - (points[index - 1] ?? 0));
          const lacking = lacks.map((amount, index) => ({ claimId: `c${index}`, amount }));
          const standing = amounts.map((amount, index) => waits(`o${index}`, amount));
          const matches = matchWaiting({ currency: 'KES', total }, lacking, standing);
          const sum = (of: readonly ClaimAmount[]) => of.reduce((all, { amount }) => all + amount, 0);
          expect(matches.map(({ allocations }) => sum(allocations))).toEqual(amounts);
          const settled = matches.flatMap(({ allocations }) => allocations);
          for (const { claimId, amount } of lacking) {
            expect(sum(settled.filter((part) => part.claimId === claimId))).toBe(amount);
          }
        },
      ),
    );
  });
});
