/**
 * The form by which a person adjudicates a claim. Its script shows whether the amounts of each line add up; the claims service checks the
 * amounts.
 */
import type { OperationInput } from '@carecover/contract';
import { type Act, type Page, projectPath } from '../page';
import { Amount, amountIn, commaList, HiddenFields, LINE_PARTS, Rejection } from '../parts';

export const adjudicatePage: Page = {
  path: '/claims/:claim/adjudicate',
  permission: 'adjudicate',
  async render({ calls, project, params, session, rejected }) {
    const found = await calls.execute(project, 'getClaim', { params: { claim_id: params.claim ?? '' } });
    const value = (name: string, fallback = '') => rejected?.form.get(name) ?? fallback;
    return {
      title: `Adjudicate ${found.provider_claim_reference}`,
      scripts: ['adjudicate.js'],
      body: (
        <form class="form" method="post" action={projectPath(project, `/claims/${found.id}/adjudications`)}>
          {rejected !== null && <Rejection message={rejected.message} />}
          <HiddenFields session={session} />
          <label for="policy">Policy reference</label>
          <input id="policy" name="policy_reference" required value={value('policy_reference')} />
          <label for="version">Policy version</label>
          <input id="version" name="policy_version" required value={value('policy_version')} />
          <label for="reasons">Reason codes, separated by commas</label>
          <input id="reasons" name="reason_codes" required value={value('reason_codes')} />
          <p class="hint">
            Amounts are in the minor unit of {found.amount.currency}. On every line billed = allowed +
            adjustment, and allowed = payer + patient.
          </p>
          {found.lines.map((line) => (
            <fieldset key={line.line_number} data-billed={line.amount}>
              <legend>
                Line {line.line_number}: {line.service_code}, billed{' '}
                <Amount value={line.amount} currency={found.amount.currency} /> ({line.amount})
              </legend>
              {LINE_PARTS.map((part) => (
                <p class="part" key={part}>
                  <label for={`${part}_${line.line_number}`}>{part.replaceAll('_', ' ')}</label>{' '}
                  <input
                    id={`${part}_${line.line_number}`}
                    name={`${part}_${line.line_number}`}
                    data-part={part}
                    inputmode="numeric"
                    pattern="[0-9]{1,16}"
                    required
                    value={value(`${part}_${line.line_number}`)}
                  />
                </p>
              ))}
              <output />
            </fieldset>
          ))}
          <button type="submit" class="main">
            Adjudicate
          </button>
        </form>
      ),
    };
  },
};

export const adjudicate: Act = {
  path: '/claims/:claim/adjudications',
  permission: 'adjudicate',
  action: 'claim.adjudicate',
  page: adjudicatePage,
  describe: ({ claim: subject = '' }, form) => ({
    subject,
    details: { policy: form.get('policy_reference'), reason_codes: form.get('reason_codes') },
  }),
  async execute({ calls, project, params }, form) {
    const claimId = params.claim ?? '';
    const found = await calls.execute(project, 'getClaim', { params: { claim_id: claimId } });
    const reasons = commaList(form.get('reason_codes'));
    const lines = found.lines.map((line) => ({
      line_number: line.line_number,
      amount: {
        billed: line.amount,
        ...Object.fromEntries(
          LINE_PARTS.map((part) => [part, amountIn(form.get(`${part}_${line.line_number}`))]),
        ),
      },
      reason_codes: reasons.slice(0, 16),
    }));
    const body = {
      policy_reference: form.get('policy_reference') ?? '',
      policy_version: form.get('policy_version') ?? '',
      reason_codes: reasons,
      lines,
    } as OperationInput<'adjudicateClaim'>['body'];
    await calls.execute(
      project,
      'adjudicateClaim',
      { params: { claim_id: claimId }, body },
      form.get('key') ?? undefined,
    );
    return `/claims/${claimId}`;
  },
};
