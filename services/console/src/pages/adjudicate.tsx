/**
 * The adjudication of a claim: the form beside what the decision rests on. The page computes the remaining amounts of each line and shows the
 * decision while the person types. The claims service decides whether the amounts are right.
 *
 * Failure policy: earlier adjudications and the queue are left out while the claims service can't read them; the form stays.
 */
import {
  type Adjudication,
  type Claim,
  type ClaimLinks,
  type EligibilityCheck,
  formatAmount,
  formatMajorUnits,
  type OperationInput,
  type Preauthorization,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { FormReader } from '../form-reader';
import { AmountField, DefaultButton, TextField } from '../forms';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Id, Instant, type LINE_PARTS, Status, Table } from '../parts';
import { wordsOf } from '../words';
import { Adjudications, type History } from './claim-history';
import {
  DECISION_FIELDS,
  expectedVersions,
  KEPT_FIELDS,
  nextOf,
  readQueue,
  stateOf,
} from './submitted-claims';

type Part = (typeof LINE_PARTS)[number];

const PARTS: Readonly<Record<Part, string>> = {
  allowed: 'Allowed',
  payer: 'Payer pays',
  patient_responsibility: 'Patient pays',
  adjustment: 'Adjustment',
};
const partNames = Object.keys(PARTS) as Part[];

/** The label of a field of a line, such as "Line 1: payer pays" for `payer_1`. */
function labelOf(field: string): string | undefined {
  const [, name, line] = /^(\w+)_(\d+)$/.exec(field) ?? [];
  return partNames.includes(name as Part) ? `Line ${line}: ${PARTS[name as Part].toLowerCase()}` : undefined;
}

/** The amounts of a line in minor units. */
type LineAmounts = Readonly<Record<Part, number>>;

/**
 * Reads the amounts of a line. Two of them determine the others: billed = allowed + adjustment, and allowed = payer + patient. An empty field
 * is computed, and one that contradicts the others is a problem.
 */
function readLine(form: FormReader, line: Claim['lines'][number], currency: string): LineAmounts {
  const name = (part: Part) => `${part}_${line.line_number}`;
  const typed = (part: Part) => (form.text(name(part)) === '' ? null : form.amount(name(part), currency));
  const [allowed, payer, patient, adjustment] = partNames.map(typed) as (number | null)[];
  const total =
    allowed ??
    (adjustment !== null && adjustment !== undefined
      ? line.amount - adjustment
      : payer != null && patient != null
        ? payer + patient
        : null);
  const shown = (amount: number) => formatAmount(amount, currency);
  if (total === null) {
    form.reject(name('allowed'), `must be an amount of at most the billed ${shown(line.amount)}`);
    return { allowed: 0, payer: 0, patient_responsibility: 0, adjustment: 0 };
  }
  const rest = line.amount - total;
  if (total < 0 || rest < 0)
    form.reject(
      name(allowed === null ? 'adjustment' : 'allowed'),
      `must be at most the billed ${shown(line.amount)}`,
    );
  else if (adjustment != null && adjustment !== rest)
    form.reject(name('adjustment'), `must be ${shown(rest)}, the billed less the allowed amount, or empty`);
  const paid = payer ?? (patient != null ? total - patient : null);
  if (paid === null) {
    form.reject(name('payer'), `must be an amount of at most the allowed ${shown(total)}`);
    return { allowed: total, payer: 0, patient_responsibility: 0, adjustment: rest };
  }
  if (paid < 0 || paid > total)
    form.reject(
      name(payer == null ? 'patient_responsibility' : 'payer'),
      `must be at most the allowed ${shown(total)}`,
    );
  else if (patient != null && patient !== total - paid)
    form.reject(
      name('patient_responsibility'),
      `must be ${shown(total - paid)}, the allowed less the payer’s amount, or empty`,
    );
  return { allowed: total, payer: paid, patient_responsibility: total - paid, adjustment: rest };
}

/** The decision that the amounts of a claim are, as the claims service derives it. */
function decisionOf(payer: number, billed: number): 'approved' | 'partially_approved' | 'denied' {
  if (payer === 0) return 'denied';
  return payer === billed ? 'approved' : 'partially_approved';
}

interface Decided {
  readonly lines: readonly LineAmounts[];
  readonly total: LineAmounts;
  readonly decision: ReturnType<typeof decisionOf>;
  /** The amounts, and the state and decision of the claim that they replace, as a text: a person confirms these. */
  readonly basis: string;
}

function readAmounts(form: FormReader, claim: Claim): Decided {
  const { currency, billed } = claim.amount;
  const lines = claim.lines.map((line) => readLine(form, line, currency));
  const sum = (part: Part) => lines.reduce((total, line) => total + line[part], 0);
  const total = Object.fromEntries(partNames.map((part) => [part, sum(part)])) as Record<Part, number>;
  const decision = decisionOf(total.payer, billed);
  const basis = [stateOf(claim), currency, ...lines.flatMap((line) => Object.values(line))].join(' ');
  return { lines, total, decision, basis };
}

/** What the amounts mean, for the page while a person types and for the page that asks for a confirmation. */
function DecidedAmounts({ claim, decided }: { claim: Claim; decided: Decided }) {
  const { currency, billed } = claim.amount;
  const { payer, patient_responsibility: patient, adjustment } = decided.total;
  const amount = (value: number) => <Amount value={value} currency={currency} />;
  return (
    <>
      <p>
        <Status value={decided.decision} />: of {amount(billed)} billed, the payer pays{' '}
        <strong>{amount(payer)}</strong>, the patient {amount(patient)}, and {amount(adjustment)} is adjusted.
      </p>
      {claim.adjudication !== null && <Replaced adjudication={claim.adjudication} />}
    </>
  );
}

/** The current decision, which the new one replaces. */
function Replaced({ adjudication }: { adjudication: Adjudication }) {
  const { version, decision, decided_at, amount } = adjudication;
  return (
    <p class="late">
      It replaces the decision of <Instant at={decided_at} />, version {version}: <Status value={decision} />,
      the payer pays <Amount value={amount.payer} currency={amount.currency} />.
    </p>
  );
}

/** The result of the amounts in the form, which the script of the page replaces while a person types. */
function Result({ request, claim }: { request: PageRequest; claim: Claim }) {
  const form = request.rejected?.form ?? request.query;
  const hasAmounts = partNames.some((part) => form.has(`${part}_1`));
  const reader = new FormReader(form, request);
  const decided = readAmounts(reader, claim);
  const problems = reader.found;
  const isComplete = hasAmounts && problems.length === 0;
  return (
    <output id="result" class="result" data-confirmed={isComplete ? decided.basis : ''}>
      {isComplete && <DecidedAmounts claim={claim} decided={decided} />}
      {hasAmounts && problems.length > 0 && (
        <ul>
          {problems.map(({ field, problem }) => (
            <li key={field}>
              {labelOf(field) ?? field} {problem}
            </li>
          ))}
        </ul>
      )}
      {!hasAmounts && <p class="none">Type what is allowed and what the payer pays. The rest is computed.</p>}
    </output>
  );
}

/** What the decision rests on: the lines, the cover, the pre-authorization, the answers of the provider and earlier decisions. */
function Grounds({
  request: { project },
  claim,
  links,
  preauthorization,
  check,
  adjudications,
}: {
  request: PageRequest;
  claim: Claim;
  links: ClaimLinks;
  preauthorization: Preauthorization | null;
  check: EligibilityCheck;
} & Pick<History, 'adjudications'>) {
  const amount = (value: number | null) => <Amount value={value} currency={claim.amount.currency} />;
  return (
    <div class="grounds">
      <dl>
        <dt>Claim</dt>
        <dd>
          <a href={projectPath(project, `/claims/${claim.id}`)}>
            {claim.provider_claim_reference ?? claim.id}
          </a>
          , <Status value={claim.status} />
        </dd>
        <dt>Service</dt>
        <dd>
          <Day at={claim.service_period.starts_at} />, practitioner{' '}
          <Id project={project} id={links.practitioner_id} />
        </dd>
        <dt>Billed</dt>
        <dd>{amount(claim.amount.billed)}</dd>
        <dt>Pre-authorized</dt>
        <dd>
          {preauthorization === null ? (
            'no pre-authorization'
          ) : (
            <>
              {amount(preauthorization.amount.approved)}, <Status value={preauthorization.status} />
            </>
          )}
        </dd>
        <dt>Cover</dt>
        <dd>
          {wordsOf(check.status)}, at most {amount(check.amount.maximum_per_session)} per session,{' '}
          {check.remaining_sessions ?? 'no'} sessions left when checked
        </dd>
      </dl>
      {claim.information_requests.length > 0 && (
        <Table
          name="information-requests"
          caption="Questions and answers"
          columns={[
            { label: 'Reason', cell: (asked) => asked.reason_code },
            { label: 'Evidence', cell: (asked) => asked.requested_evidence_types.join(', ') },
            { label: 'Status', cell: (asked) => <Status value={asked.status} /> },
          ]}
          rows={claim.information_requests}
        />
      )}
      {adjudications !== null && adjudications.data.length > 0 && (
        <details open>
          <summary>Earlier adjudications</summary>
          <Adjudications adjudications={adjudications} />
        </details>
      )}
    </div>
  );
}

/** Returns the amounts of a line that a button fills in: all that is billed, or nothing. */
function filled(claim: Claim, kind: string | null): Readonly<Record<string, string>> {
  if (kind !== 'billed' && kind !== 'nothing') return {};
  return Object.fromEntries(
    claim.lines.flatMap(({ line_number, amount }) => {
      const text = formatMajorUnits(kind === 'billed' ? amount : 0, claim.amount.currency);
      return [
        [`allowed_${line_number}`, text],
        [`payer_${line_number}`, text],
      ];
    }),
  );
}

function DecisionForm({ request, claim, hasNext }: { request: PageRequest; claim: Claim; hasNext: boolean }) {
  const { project, session, rejected, memory } = request;
  const { currency } = claim.amount;
  const form = { labels: DECISION_FIELDS, rejected };
  const main = { name: 'next', value: hasNext ? 'yes' : 'no', label: hasNext ? 'Decide and next' : 'Decide' };
  return (
    <form
      class="form decision"
      method="post"
      action={projectPath(project, `/claims/${claim.id}/adjudications`)}
      data-result={projectPath(project, `/claims/${claim.id}/adjudicate`)}
    >
      <HiddenFields session={session} />
      <input type="hidden" name="confirmed" value="" />
      <DefaultButton {...main} />
      {claim.lines.map((line) => (
        <fieldset
          key={line.line_number}
          data-billed={line.amount}
          data-major={formatMajorUnits(line.amount, currency)}
        >
          <legend>
            Line {line.line_number}: {line.service_code}, billed{' '}
            <Amount value={line.amount} currency={currency} />
          </legend>
          <div class="amounts">
            {partNames.map((part) => (
              <AmountField
                key={part}
                labels={{ [`${part}_${line.line_number}`]: PARTS[part] }}
                name={`${part}_${line.line_number}`}
                rejected={rejected}
                currency={currency}
                isRequired={false}
                hint={part === 'allowed' || part === 'payer' ? `in ${currency}` : 'computed if empty'}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <p class="buttons">
        <button type="submit" name="fill" value="billed" data-fill="billed">
          Approve as billed
        </button>
        <button type="submit" name="fill" value="nothing" data-fill="nothing">
          Deny
        </button>
      </p>
      {KEPT_FIELDS.map((name) => (
        <TextField key={name} {...form} name={name} usual={memory.get(name) ?? ''} />
      ))}
      <Result request={request} claim={claim} />
      <p class="buttons">
        <button type="submit" class="main" name={main.name} value={main.value}>
          {main.label}
        </button>
        {hasNext && (
          <button type="submit" name="next" value="no">
            Decide and show the claim
          </button>
        )}
      </p>
    </form>
  );
}

export const adjudicatePage: Page = {
  path: '/claims/:claim/adjudicate',
  permission: 'adjudicate',
  async render(request) {
    const { calls, project, params, query } = request;
    const input = { params: { claim_id: params.claim ?? '' } };
    const claim = await calls.execute(project, 'getClaim', input);
    const title = `Adjudicate ${claim.provider_claim_reference}`;
    if (query.get('part') === 'result') return { title, body: <Result request={request} claim={claim} /> };
    const [links, adjudications, queue] = await Promise.all([
      calls.execute(project, 'getClaimLinks', input),
      calls.readIfAvailable<NonNullable<History['adjudications']>>(
        'claims',
        project,
        `/claims/${claim.id}/adjudications`,
      ),
      readQueue(request),
    ]);
    const [preauthorization, check] = await Promise.all([
      links.preauthorization_id === null
        ? null
        : calls.execute(project, 'getPreauthorization', {
            params: { preauthorization_id: links.preauthorization_id },
          }),
      calls.execute(project, 'getEligibilityCheck', {
        params: { eligibility_check_id: links.eligibility_check_id },
      }),
    ]);
    const place = queue.data.findIndex(({ id }) => id === claim.id);
    const next = nextOf(queue.data, claim.id);
    return {
      title,
      scripts: ['result.js', 'adjudicate.js'],
      body: (
        <>
          {place >= 0 && (
            <p class="queue">
              {place + 1} of {queue.data.length}
              {queue.hasMore ? ' and more' : ''} that wait
              {next !== undefined && (
                <>
                  {' · '}
                  <a href={projectPath(project, `/claims/${next.id}/adjudicate`)}>
                    Skip to {next.provider_claim_reference ?? next.id}
                  </a>
                </>
              )}
            </p>
          )}
          <div class="workbench">
            <Grounds {...{ request, claim, links, preauthorization, check, adjudications }} />
            <DecisionForm request={request} claim={claim} hasNext={next !== undefined} />
          </div>
        </>
      ),
    };
  },
};

/** Reads the decision. @throws FormError */
async function readDecision({ calls, project, params }: PageRequest, form: FormReader) {
  const claim = await calls.execute(project, 'getClaim', { params: { claim_id: params.claim ?? '' } });
  const fill = filled(claim, form.form.get('fill'));
  for (const [name, value] of Object.entries(fill)) form.form.set(name, value);
  const decided = readAmounts(form, claim);
  const policy_reference = form.required('policy_reference');
  const policy_version = form.required('policy_version');
  const reason_codes = form.list('reason_codes');
  const lines = claim.lines.map((line, index) => ({
    line_number: line.line_number,
    amount: { billed: line.amount, ...decided.lines[index] },
    reason_codes: reason_codes.slice(0, 16),
  }));
  form.check();
  const body = {
    policy_reference,
    policy_version,
    reason_codes,
    lines,
    ...expectedVersions(claim),
  } as OperationInput<'adjudicateClaim'>['body'];
  return { claim, decided, body };
}

export const adjudicate: Act = {
  path: '/claims/:claim/adjudications',
  permission: 'adjudicate',
  action: 'claim.adjudicate',
  page: adjudicatePage,
  labels: DECISION_FIELDS,
  labelOf,
  fieldOf([first = '', index, , part]) {
    if (first !== 'lines') return first in DECISION_FIELDS ? first : undefined;
    const name = `${part}_${Number(index) + 1}`;
    return labelOf(name) === undefined ? undefined : name;
  },
  describe: ({ claim: subject = '' }, form) => ({
    subject,
    details: { policy: form.get('policy_reference'), reason_codes: form.get('reason_codes') },
  }),
  async preview(request, form) {
    const { claim, decided, body } = await readDecision(request, form);
    const { currency } = claim.amount;
    return {
      title: `Adjudicate ${claim.provider_claim_reference}?`,
      confirm: `Decide: ${wordsOf(decided.decision)}`,
      basis: decided.basis,
      effect: (
        <>
          <DecidedAmounts claim={claim} decided={decided} />
          <Table
            caption="Lines"
            columns={[
              { label: 'Line', cell: ({ line }) => line.service_code },
              {
                label: 'Billed',
                isNumber: true,
                cell: ({ line }) => <Amount value={line.amount} currency={currency} />,
              },
              ...partNames.map((part) => ({
                label: PARTS[part],
                isNumber: true,
                cell: ({ amounts }: { amounts: LineAmounts | undefined }) => (
                  <Amount value={amounts?.[part] ?? null} currency={currency} />
                ),
              })),
            ]}
            rows={claim.lines.map((line, index) => ({ line, amounts: decided.lines[index] }))}
          />
          <p>
            Policy {body.policy_reference} {body.policy_version}; reasons {body.reason_codes.join(', ')}.
          </p>
        </>
      ),
    };
  },
  async execute(request, form) {
    const { calls, project, memory } = request;
    const { claim, decided, body } = await readDecision(request, form);
    // Another examiner can decide after the effect was shown, and that decision must not be replaced without a word.
    if (decided.basis !== form.text('confirmed'))
      throw new ApiError(
        'invalid_state',
        'The claim or its decision has changed since you saw the effect. Look at the decision, and decide again.',
      );
    const next = form.text('next') === 'yes' ? nextOf((await readQueue(request)).data, claim.id) : undefined;
    await calls.execute(project, 'adjudicateClaim', { params: { claim_id: claim.id }, body }, form.key);
    for (const name of KEPT_FIELDS) memory.set(name, form.text(name));
    const payer = formatAmount(decided.total.payer, claim.amount.currency);
    return {
      path: next === undefined ? `/claims/${claim.id}` : `/claims/${next.id}/adjudicate`,
      done: `${claim.provider_claim_reference ?? claim.id}: ${wordsOf(decided.decision)}, the payer pays ${payer}.`,
    };
  },
};
