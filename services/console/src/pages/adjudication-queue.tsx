/**
 * The queue of submitted claims, longest waiting first, on which a person decides claims one after the other, or chooses many and decides them
 * alike. Many are decided by a bulk job, so the person confirms their number and their sums first.
 *
 * Failure policy: a claim that has changed since the person chose it is left out, and the page names it. The job rejects the line of a claim
 * that changed after the confirmation.
 */
import { createHash } from 'node:crypto';
import {
  type Claim,
  type ClaimAdjudicationInput,
  isIdentifier,
  problemMessage,
  validateBulkLine,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { ChoiceFilter } from '../filters';
import type { FormReader } from '../form-reader';
import { Choice, Problem, TextField } from '../forms';
import { readParties } from '../names';
import { ifFound } from '../operations';
import { type Act, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Instant, Status, sumsByCurrency, Table } from '../parts';
import { wordsOf } from '../words';
import { DECISION_FIELDS, expectedVersions, KEPT_FIELDS, readQueue, stateOf } from './submitted-claims';

/** The maximum number of claims of one form; the queue shows as many. */
const MAX_CHOSEN = 100;

/** The decisions that fit any claim: what the payer allows and pays of each line. */
const DECISIONS = {
  billed: { label: 'Approve as billed', words: 'approved as billed', status: 'approved' },
  nothing: { label: 'Deny', words: 'denied', status: 'denied' },
} as const;
type Decision = keyof typeof DECISIONS;

const LABELS = { claim: 'Claims', decision: 'Decision', ...DECISION_FIELDS };

const countOf = (claims: readonly unknown[]) =>
  `${claims.length} ${claims.length === 1 ? 'claim' : 'claims'}`;
const nameOf = ({ id, provider_claim_reference: name }: Claim) => name ?? id;
const servicesOf = ({ lines }: Claim) => [...new Set(lines.map(({ service_code }) => service_code))];

/** A claim of the queue with the name of its payer, which is missing while it can't be read. */
interface Queued {
  readonly claim: Claim;
  readonly payer: string | undefined;
}

/** The filters of the queue, whose choices are what the queue has. */
function QueueFilter({
  address,
  query,
  queue,
}: Pick<PageRequest, 'address' | 'query'> & { queue: readonly Queued[] }) {
  const choicesOf = (values: readonly (string | undefined)[]) =>
    [...new Set(values)].flatMap((each) => (each === undefined ? [] : [each])).sort();
  const options = (values: readonly string[]) => values.map((each) => [each, each] as const);
  const payers = choicesOf(queue.map(({ payer }) => payer));
  const services = choicesOf(queue.flatMap(({ claim }) => servicesOf(claim)));
  return (
    <form class="filter" method="get" action={address}>
      <ChoiceFilter name="payer" label="Payer" all="all" options={options(payers)} query={query} />
      <ChoiceFilter name="service" label="Service" all="all" options={options(services)} query={query} />
      <button type="submit">Show</button>
    </form>
  );
}

/** The claims of the queue, each with a box that chooses it. */
function QueueTable({
  request: { project, rejected, query },
  rows,
  caption,
}: {
  request: PageRequest;
  rows: readonly Queued[];
  caption: string;
}) {
  const chosen = rejected?.form.getAll('claim') ?? [];
  const isAllChosen = rejected === null && query.get('choose') === 'all';
  return (
    <Table
      name="adjudication-queue"
      caption={caption}
      none="No claim waits for an adjudication."
      columns={[
        {
          label: 'Choose',
          isControl: true,
          cell: ({ claim }) => (
            <input
              type="checkbox"
              name="claim"
              value={stateOf(claim)}
              checked={isAllChosen || chosen.includes(stateOf(claim))}
              aria-label={`Choose ${nameOf(claim)}`}
            />
          ),
        },
        {
          label: 'Claim',
          cell: ({ claim }) => (
            <a href={projectPath(project, `/claims/${claim.id}/adjudicate`)}>{nameOf(claim)}</a>
          ),
        },
        { label: 'Payer', cell: ({ payer }) => payer ?? <span class="none">none</span> },
        { label: 'Service', cell: ({ claim }) => servicesOf(claim).join(', ') },
        { label: 'Service date', cell: ({ claim }) => <Day at={claim.service_period.starts_at} /> },
        {
          label: 'Billed',
          isNumber: true,
          cell: ({ claim: { amount } }) => <Amount value={amount.billed} currency={amount.currency} />,
        },
        { label: 'Waiting since', cell: ({ claim }) => <Instant at={claim.updated_at} /> },
      ]}
      rows={rows}
    />
  );
}

export const adjudicationQueue: Page = {
  path: '/adjudications',
  menu: 'Adjudicate',
  permission: 'adjudicate',
  async render(request) {
    const { project, session, rejected, memory, address, query } = request;
    const { data, hasMore } = await readQueue(request);
    const parties = await readParties(
      request,
      data.map(({ id }) => id),
    );
    const queue = data.map((claim) => ({ claim, payer: parties.get(claim.id)?.payer }));
    const [payer, service] = [query.get('payer') ?? '', query.get('service') ?? ''];
    const rows = queue.filter(
      (each) =>
        (payer === '' || each.payer === payer) &&
        (service === '' || servicesOf(each.claim).includes(service)),
    );
    const [first] = data;
    const all = new URLSearchParams(query);
    all.set('choose', 'all');
    const field = { labels: LABELS, rejected };
    const counted = rows.length < data.length ? `${rows.length} of ${data.length}` : `${data.length}`;
    return {
      title: 'Claims to adjudicate',
      body: (
        <>
          {first !== undefined && (
            <p>
              <a class="button" href={projectPath(project, `/claims/${first.id}/adjudicate`)}>
                Start with the oldest
              </a>
            </p>
          )}
          {data.length > 0 && <QueueFilter address={address} query={query} queue={queue} />}
          <form class="form decision" method="post" action={projectPath(project, '/adjudications')}>
            <HiddenFields session={session} />
            {rows.length > 0 && (
              <p>
                <a href={`${address}?${all}`}>Choose all {rows.length}</a>
              </p>
            )}
            <div id="claim" tabIndex={-1} class="chosen">
              <QueueTable
                request={request}
                rows={rows}
                caption={`${counted}${hasMore ? ' and more' : ''} submitted claims, longest waiting first`}
              />
            </div>
            <Problem rejected={rejected} name="claim" />
            {rows.length > 0 && (
              <div class="form">
                <h2>Decide the chosen claims alike</h2>
                <Choice
                  {...field}
                  name="decision"
                  options={Object.entries(DECISIONS).map(([name, { label }]) => [name, label] as const)}
                />
                {KEPT_FIELDS.map((name) => (
                  <TextField key={name} {...field} name={name} usual={memory.get(name) ?? ''} />
                ))}
                <button type="submit" class="main">
                  Show what would be decided
                </button>
              </div>
            )}
          </form>
        </>
      ),
    };
  },
};

/** The decision about the chosen claims that have not changed, and the chosen claims that have. */
interface Selection {
  readonly decision: Decision;
  readonly claims: readonly Claim[];
  /** The claims that have changed since they were chosen, as they are now. */
  readonly changed: readonly Claim[];
  /** The number of chosen claims that do not exist in the project. */
  readonly unknown: number;
  readonly lines: readonly ClaimAdjudicationInput[];
  /** A digest of all that is decided, and of the states of the claims: a person confirms these. */
  readonly basis: string;
}

/** Returns the adjudication of a claim that pays all that is billed, or nothing. */
function adjudicationOf(
  claim: Claim,
  decision: Decision,
  given: Pick<ClaimAdjudicationInput, 'policy_reference' | 'policy_version' | 'reason_codes'>,
): ClaimAdjudicationInput {
  return {
    claim_id: claim.id,
    ...given,
    ...expectedVersions(claim),
    lines: claim.lines.map(({ line_number, amount: billed }) => {
      const paid = decision === 'billed' ? billed : 0;
      const amount = {
        ...{ billed, allowed: paid, payer: paid },
        ...{ patient_responsibility: 0, adjustment: billed - paid },
      };
      return { line_number, amount, reason_codes: given.reason_codes.slice(0, 16) };
    }),
  };
}

/** Reads the chosen claims as they are now, and the decision. @throws FormError, ApiError validation_failed */
async function readSelection(request: PageRequest, form: FormReader): Promise<Selection> {
  const { calls, project } = request;
  const chosen = [...new Set(form.form.getAll('claim'))];
  if (chosen.length === 0) form.reject('claim', 'must have at least one chosen claim');
  if (chosen.length > MAX_CHOSEN) form.reject('claim', `must have at most ${MAX_CHOSEN} chosen claims`);
  const decision = form.required('decision') as Decision;
  if (form.text('decision') !== '' && !Object.hasOwn(DECISIONS, decision))
    form.reject('decision', 'must be one of the choices');
  const policy_reference = form.required('policy_reference');
  const policy_version = form.required('policy_version');
  const given = { policy_reference, policy_version, reason_codes: form.list('reason_codes') };
  form.check();
  const queue = new Map((await readQueue(request)).data.map((claim) => [claim.id, claim]));
  const found = await Promise.all(
    chosen.map(async (seen) => {
      const [claim_id = ''] = seen.split(' ');
      const claim =
        queue.get(claim_id) ?? (await ifFound(calls.execute(project, 'getClaim', { params: { claim_id } })));
      return { seen, claim };
    }),
  );
  const isUnchanged = ({ seen, claim }: (typeof found)[number]) =>
    claim?.status === 'submitted' && stateOf(claim) === seen;
  const claimsOf = (part: typeof found) => part.flatMap(({ claim }) => (claim === null ? [] : [claim]));
  const claims = claimsOf(found.filter(isUnchanged));
  const lines = claims.map((claim) => adjudicationOf(claim, decision, given));
  for (const line of lines) {
    const checked = validateBulkLine('adjudications', line);
    if (!checked.ok) throw new ApiError('validation_failed', `${problemMessage(checked.problems)}.`);
  }
  return {
    decision,
    claims,
    changed: claimsOf(found.filter((each) => !isUnchanged(each))),
    unknown: found.filter(({ claim }) => claim === null).length,
    lines,
    basis: createHash('sha256')
      .update(JSON.stringify([claims.map(stateOf), lines]))
      .digest('base64url'),
  };
}

/** The claims that are left out, each with its status of now. */
function LeftOut({
  project,
  selection: { changed, unknown },
}: {
  project: PageRequest['project'];
  selection: Selection;
}) {
  return (
    <>
      {changed.length > 0 && (
        <>
          <p class="late">
            {countOf(changed)} changed since you chose {changed.length === 1 ? 'it' : 'them'}, and{' '}
            {changed.length === 1 ? 'is' : 'are'} left out:
          </p>
          <Table
            caption="Left out"
            columns={[
              {
                label: 'Claim',
                cell: (claim) => <a href={projectPath(project, `/claims/${claim.id}`)}>{nameOf(claim)}</a>,
              },
              { label: 'It is now', cell: ({ status }) => <Status value={status} /> },
              { label: 'Changed', cell: ({ updated_at }) => <Instant at={updated_at} /> },
            ]}
            rows={changed}
          />
        </>
      )}
      {unknown > 0 && <p class="late">{unknown} of the chosen claims are not in this project.</p>}
    </>
  );
}

/** What would be decided: the number and the sum of the claims per currency, those that are left out, and each claim. */
function Effect({ request: { project }, selection }: { request: PageRequest; selection: Selection }) {
  const { claims, decision, lines } = selection;
  const [first] = lines;
  const parts = claims.map(({ amount }) => ({ currency: amount.currency, amount: amount.billed }));
  const sums = sumsByCurrency(parts).map(([currency, billed]) => ({
    currency,
    billed,
    count: parts.filter((part) => part.currency === currency).length,
  }));
  return (
    <>
      <p>
        <strong>{countOf(claims)}</strong> will be <Status value={DECISIONS[decision].status} />.
      </p>
      <Table
        caption="By currency"
        columns={[
          { label: 'Currency', cell: ({ currency }) => currency },
          { label: 'Claims', isNumber: true, cell: ({ count }) => count },
          {
            label: 'Billed',
            isNumber: true,
            cell: ({ billed, currency }) => <Amount value={billed} currency={currency} />,
          },
          {
            label: 'Payer pays',
            isNumber: true,
            cell: ({ billed, currency }) => (
              <Amount value={decision === 'billed' ? billed : 0} currency={currency} />
            ),
          },
        ]}
        rows={sums}
      />
      <LeftOut project={project} selection={selection} />
      <p>
        Policy {first?.policy_reference} {first?.policy_version}; reasons {first?.reason_codes.join(', ')}. A
        bulk job decides them. It rejects a claim that changes after you confirm.
      </p>
      <Table
        caption="The claims"
        columns={[
          {
            label: 'Claim',
            cell: (claim) => <a href={projectPath(project, `/claims/${claim.id}`)}>{nameOf(claim)}</a>,
          },
          { label: 'Service', cell: (claim) => servicesOf(claim).join(', ') },
          { label: 'Service date', cell: ({ service_period }) => <Day at={service_period.starts_at} /> },
          {
            label: 'Billed',
            isNumber: true,
            cell: ({ amount }) => <Amount value={amount.billed} currency={amount.currency} />,
          },
        ]}
        rows={claims}
      />
    </>
  );
}

/** Rejects a selection of which nothing is left. @throws ApiError invalid_state */
function requireClaims({ claims, changed }: Selection): void {
  if (claims.length > 0) return;
  const names = changed.map((claim) => `${nameOf(claim)} (${wordsOf(claim.status)})`).join(', ');
  throw new ApiError(
    'invalid_state',
    `Every chosen claim has changed since you chose it${names === '' ? '' : `: ${names}`}. Choose again.`,
  );
}

export const adjudicateMany: Act = {
  path: '/adjudications',
  permission: 'adjudicate',
  action: 'claim.adjudicate_many',
  page: adjudicationQueue,
  labels: LABELS,
  fieldOf: ([first = '']) => (first === 'lines' ? 'reason_codes' : first in LABELS ? first : undefined),
  describe: ({ project: subject = '' }, form) => ({
    subject,
    details: {
      decision: form.get('decision'),
      policy: form.get('policy_reference'),
      reason_codes: form.get('reason_codes'),
      claims: form
        .getAll('claim')
        .slice(0, MAX_CHOSEN)
        .map((seen) => seen.split(' ')[0] ?? '')
        // The entry is written before the form is read, so a value can be anything.
        .filter((id) => isIdentifier('claim', id)),
    },
  }),
  async preview(request, form) {
    const selection = await readSelection(request, form);
    requireClaims(selection);
    const { label } = DECISIONS[selection.decision];
    return {
      title: `${label}: ${countOf(selection.claims)}?`,
      confirm: `${label}: ${countOf(selection.claims)}`,
      basis: selection.basis,
      effect: <Effect request={request} selection={selection} />,
    };
  },
  async execute(request, form) {
    const { calls, project, memory } = request;
    const { claims, decision, lines, basis } = await readSelection(request, form);
    // Another examiner can decide after the effect was shown, and that decision must not be replaced without a word.
    if (basis !== form.text('confirmed'))
      throw new ApiError(
        'invalid_state',
        'Chosen claims have changed since you saw the effect, maybe by this form. Look at the bulk jobs, and choose again.',
      );
    const { id } = await calls.upload(
      project,
      'createBulkJob',
      { query: { kind: 'adjudications', on_error: 'continue' } },
      {
        content: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
        headers: { 'content-type': 'application/x-ndjson' },
      },
      form.key,
    );
    for (const name of KEPT_FIELDS) memory.set(name, form.text(name));
    return {
      path: `/bulk-jobs/${id}`,
      done: `The job was created: ${countOf(claims)} will be ${DECISIONS[decision].words}.`,
    };
  },
};
