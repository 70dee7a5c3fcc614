/** The table of a claim's adjudications, for the responses of the claims service. */
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { Adjudications, type History } from './claim-history';

type Read = NonNullable<History['adjudications']>;

const adjudication = (version: number): Read['data'][number] => ({
  id: `adj_${version}`,
  object: 'claim_adjudication',
  version,
  decision: 'approved',
  amount: { currency: 'KES', billed: 10, payer: 10, patient_responsibility: 0, adjustment: 0 },
  lines: [],
  policy: { reference: 'policy:outpatient', version: '2026.1' },
  reason_codes: ['fee_schedule'],
  decided_at: '2026-01-05T10:00:00.000Z',
});

function rendered(versions: readonly number[], has_more: boolean) {
  const html = render(h(Adjudications, { adjudications: { data: versions.map(adjudication), has_more } }));
  return {
    caption: html.match(/<caption>(.*?)<\/caption>/)?.[1],
    columns: [...html.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, column]) => column),
  };
}

test('all adjudications are shown, the oldest to the left', () => {
  expect(rendered([2, 1], false)).toEqual({
    caption: 'All adjudications, the oldest to the left; a mark is at rows that differ',
    columns: ['Version 1', 'Version 2'],
  });
});

test('if there are older adjudications, the caption has the number of all', () => {
  expect(rendered([9, 8, 7], true)).toEqual({
    caption: 'The newest 3 of 9 adjudications, the oldest to the left; a mark is at rows that differ',
    columns: ['Version 7', 'Version 8', 'Version 9'],
  });
});
