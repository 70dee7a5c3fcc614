import { newId } from '@carecover/domain';
import { parseBulkLine } from './execute-bulk-line';

const SETTLEMENT = {
  ...{ remittance_id: newId('rem_'), source_reference: 'bank:1', currency: 'KES', amount: 5 },
  observed_at: '2026-03-16T14:00:00Z',
};
const waiting = {
  line: 1,
  key: 'k',
  is_repeated: false,
  is_started: false,
  content: JSON.stringify(SETTLEMENT),
};

test('a line in a currency that the project does not accept is rejected, and names the field', async () => {
  for (const currencies of [null, ['KES', 'USD']])
    expect((await parseBulkLine('settlements', waiting, { currencies })).body).toEqual(SETTLEMENT);
  await expect(parseBulkLine('settlements', waiting, { currencies: ['USD'] })).rejects.toMatchObject({
    code: 'validation_failed',
    message: '/currency must be a currency that the project accepts: USD.',
  });
});
