/** Tests which settlements a takeback reverses. */
import { planTakeback } from './takeback';

const settlements = [
  { id: 'stl_3', amount: 300 },
  { id: 'stl_2', amount: 200 },
];
const credit = { amount: 600, recorded: 500, returned: 0 };

test.each([
  ['what the open part covers', 100, [], 0],
  ['less than the open part', 60, [], 40],
  ['more than the open part', 101, ['stl_3'], 299],
  ['as much as the newest settlement and the open part', 400, ['stl_3'], 0],
  ['all of the credit', 600, ['stl_3', 'stl_2'], 0],
] as const)('a takeback of %s reverses the newest settlements until it is covered', (_, debit, ids, open) => {
  const plan = planTakeback(debit, credit, settlements);
  expect([plan.settlements.map(({ id }) => id), plan.open]).toEqual([ids, open]);
});

test('what earlier takebacks returned is not open', () => {
  const plan = planTakeback(100, { ...credit, returned: 100 }, settlements);
  expect(plan).toEqual({ settlements: [settlements[0]], open: 200 });
});

test('settlements that record less than the credit says are a fault of the data', () => {
  expect(() => planTakeback(600, credit, settlements.slice(1))).toThrow('record 300 less');
});
