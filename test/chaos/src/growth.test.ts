import { type Amounts, compareQuarters, findGrowing } from './growth';

const COUNT = 40;
const samplesOf = (amount: (index: number) => Amounts) =>
  Array.from({ length: COUNT }, (_, index) => amount(index));
const growingNames = (samples: readonly Amounts[]) =>
  findGrowing(compareQuarters(samples)).map(({ name }) => name);

test('an amount that grows with every sample is found', () => {
  const samples = samplesOf((index) => ({
    'claims-worker-1 MiB': 200 + 4 * index,
    'running workflows': 20 + 5 * index,
  }));
  expect(growingNames(samples)).toEqual(['claims-worker-1 MiB', 'running workflows']);
});

test('an amount that varies, or grows only while caches fill, is not found', () => {
  const samples = samplesOf((index) => ({
    'claims-worker-1 MiB': Math.min(100 + 10 * index, 190) + 30 * (index % 3),
    'database connections': 60 + 20 * (index % 2),
  }));
  expect(growingNames(samples)).toEqual([]);
});

test('a burst in one sample is not found', () => {
  expect(
    growingNames(samplesOf((index) => ({ 'rows in outboxes': index === COUNT - 2 ? 5_000 : 3 }))),
  ).toEqual([]);
});
