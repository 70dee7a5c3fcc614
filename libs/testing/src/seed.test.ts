import { fc } from './properties';
import { SEED_SETTING, seedOf } from './seed';

test('an integer setting is the seed; another setting gets a random seed', () => {
  expect(seedOf('12345')).toBe(12345);
  expect(seedOf('-7')).toBe(-7);
  for (const setting of [undefined, '', 'nothing', '1.5'])
    expect(Number.isInteger(seedOf(setting))).toBe(true);
});

test('property tests use the seed of the run', () => {
  const drawn = () => {
    const values: number[] = [];
    fc.assert(fc.property(fc.integer(), (value) => void values.push(value)));
    return values;
  };
  expect(drawn()).toEqual(drawn());
  expect(fc.readConfigureGlobal().seed).toBe(Number(process.env[SEED_SETTING]));
});
