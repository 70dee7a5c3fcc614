import { fc } from '@carecover/testing';
import { queuesOf } from './bulk-lines';

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
