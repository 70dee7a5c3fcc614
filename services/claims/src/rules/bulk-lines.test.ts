import type { BulkJobKind, BulkLine } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { keysOfLine, queuesOf } from './bulk-lines';

test('lines with a key in common are in one queue, in their order, also if a later line joins them', () => {
  const queues = queuesOf(['ab', 'c', 'd', 'be', 'f', 'cd'], (line) => [...line]);
  expect(queues).toEqual([['ab', 'be'], ['c', 'd', 'cd'], ['f']]);
});

test('each line is in one queue, and no key is in two', () => {
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 20 }), (lines) => {
      const positions = [...lines.keys()];
      const queues = queuesOf(positions, (position) => lines[position] ?? []);
      expect(queues.flat().sort((one, other) => one - other)).toEqual(positions);
      for (const queue of queues) expect(queue).toEqual([...queue].sort((one, other) => one - other));
      const keysOfQueues = queues.flatMap((queue) => [
        ...new Set(queue.flatMap((position) => lines[position] ?? [])),
      ]);
      expect(new Set(keysOfQueues).size).toBe(keysOfQueues.length);
    }),
  );
});

describe('lines depend on each other', () => {
  const isInOneQueue = (kind: BulkJobKind, bodies: readonly object[]) =>
    queuesOf([...bodies.entries()], ([index, body]) =>
      keysOfLine(kind, { line: index + 1, body: body as BulkLine }, null),
    ).length === 1;
  const advise = (payer_reference: string, ...claims: string[]) => ({
    payer_reference,
    allocations: claims.map((claim_id) => ({ claim_id, paid_amount: 1 })),
  });

  test.each<[string, BulkJobKind, object, object]>([
    [
      'remittances of the same claim',
      'remittances',
      advise('ERA-1', 'clm_1', 'clm_2'),
      advise('ERA-2', 'clm_2'),
    ],
    [
      'remittances with the same reference',
      'remittances',
      advise('ERA-1', 'clm_1'),
      advise('ERA -1', 'clm_2'),
    ],
    [
      'settlements of a remittance, and of its advice',
      'settlements',
      { source_reference: 'bank-1', remittance_id: 'rem_1' },
      {
        source_reference: 'bank-2',
        shares: [{ payment_advice_id: 'adv_1' }, { payment_advice_id: 'adv_2' }],
      },
    ],
    [
      'settlements with the same reference',
      'settlements',
      { source_reference: 'bank-1', remittance_id: 'rem_1' },
      { source_reference: 'bank-1', remittance_id: 'rem_2' },
    ],
    [
      'sessions with the same reference',
      'sessions',
      { external_reference: 'e-1' },
      { external_reference: 'e-1' },
    ],
    ['claims of the same session', 'claims', { session_id: 'ses_1' }, { session_id: 'ses_1' }],
  ])('%s', (_name, kind, one, other) => expect(isInOneQueue(kind, [one, other])).toBe(true));

  test.each<[string, BulkJobKind, object, object]>([
    ['remittances of different claims', 'remittances', advise('ERA-1', 'clm_1'), advise('ERA-2', 'clm_2')],
    [
      'settlements of different remittances',
      'settlements',
      { source_reference: 'bank-1', remittance_id: 'rem_1' },
      { source_reference: 'bank-2', remittance_id: 'rem_2' },
    ],
    ['sessions without a reference', 'sessions', {}, {}],
    ['eligibility checks', 'eligibility_checks', { member_reference: 'm-1' }, { member_reference: 'm-1' }],
  ])('but not %s', (_name, kind, one, other) => expect(isInOneQueue(kind, [one, other])).toBe(false));
});
