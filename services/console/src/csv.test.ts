/** The CSV of tables. */
import { writeCsv } from './csv';

test('numbers are plain, texts are quoted where needed, and no text is a formula', () => {
  const table = {
    header: ['Payer', 'Claims', 'Total'],
    rows: [
      ['contract:1', 2, { amount: 123_456_705, currency: 'KES' }],
      ['a "b", c', 0, { amount: -5, currency: 'KES' }],
      ['=1+1', 1, null],
      ['a;=1+1;b', 1, null],
    ],
  };
  expect(writeCsv(table)).toBe(
    'Payer,Claims,Total\r\ncontract:1,2,1234567.05\r\n"a ""b"", c",0,-0.05\r\n\'=1+1,1,\r\n"a;\'=1+1;b",1,\r\n',
  );
});
