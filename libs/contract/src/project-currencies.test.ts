import { findOtherCurrencies } from './project-currencies';

test('currencies are found at any depth, with pointers to at most 20 of them', () => {
  const body = {
    amount: { currency: 'EUR' },
    lines: [{ currency: 'KES' }, { currency: 'GBP' }],
    other: 'USD',
  };
  expect(findOtherCurrencies(body, ['KES']).map(({ pointer }) => pointer)).toEqual([
    '/amount/currency',
    '/lines/1/currency',
  ]);
  expect(findOtherCurrencies(body, null)).toEqual([]);
  expect(findOtherCurrencies(undefined, ['KES'])).toEqual([]);
  const many = { records: Array.from({ length: 500 }, () => ({ currency: 'EUR' })) };
  expect(findOtherCurrencies(many, ['KES'])).toHaveLength(20);
});
