/**
 * The matching workbench: a row of a bank file beside the remittances that wait for funds, and the acts that assign it to one, divide it among
 * several, reverse what the bank took back, or dismiss it.
 *
 * Failure policy: the parts of a division are recorded, and the settlements of a takeback reversed, one after the other. If one is rejected, those
 * before it stay, the row waits, and the page says so.
 */
import { formatAmount, isIdentifier, type Settlement } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { FormError, type FormReader } from '../form-reader';
import { Problem, problemAttributes, TextField } from '../forms';
import { executeInTurn } from '../in-turn';
import { ifFound, type Project } from '../operations';
import { type Act, type Executed, type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, HiddenFields, Id, Instant, Table } from '../parts';
import { permits } from '../roles';
import {
  dividedIds,
  IN_FULL,
  labelOfPart,
  OTHER,
  type Part,
  partField,
  Remaining,
  readDivision,
} from './row-division';
import { type Effect, readEffect, SettlementEffect } from './settlement-effect';
import { type Candidate, readRow, rowPath, type UnmatchedRow } from './unmatched-rows';

type Candidates = { readonly data: readonly Candidate[]; readonly has_more: boolean };

/** Reads the remittances in the row's currency that wait for funds. That which lacks an amount nearest to what is open is first. */
function readCandidates({ calls, project }: PageRequest, row: UnmatchedRow): Promise<Candidates> {
  return calls.service<Candidates>('payments', project, `${rowPath(String(row.row))}/candidates`);
}

const DISMISSAL = { reason: 'Reason, without personal data' };
/** The ID of the form that assigns all that is open to the remittance whose button is pressed. */
const WHOLE = 'whole';

/** Says what would be lacking after the assignment of all that is open. */
function Fit({ row, candidate: { lacking } }: { row: UnmatchedRow; candidate: Candidate }) {
  const rest = lacking - row.open;
  if (rest === 0) return <strong class="good">exact</strong>;
  return rest > 0 ? (
    <>
      would lack <Amount value={rest} currency={row.currency} />
    </>
  ) : (
    <span class="late">
      exceeds by <Amount value={-rest} currency={row.currency} />
    </span>
  );
}

/** The fields of a remittance in the form that divides the row, and the button that assigns all of it. */
function Shares({ request, candidate }: { request: PageRequest; candidate: Candidate }) {
  const { rejected } = request;
  const { id, payer_reference } = candidate;
  const name = partField(id);
  const isFull = rejected?.form.getAll(IN_FULL).includes(id) === true;
  return (
    <span class="shares amounts">
      <input
        id={name}
        name={name}
        inputmode="decimal"
        autocomplete="off"
        aria-label={`Part for ${payer_reference}`}
        value={rejected?.form.get(name) ?? ''}
        {...problemAttributes(rejected, name)}
      />
      <label>
        <input
          type="checkbox"
          name={IN_FULL}
          value={id}
          checked={isFull}
          aria-label={`All that ${payer_reference} lacks`}
        />{' '}
        all that lacks
      </label>
      <Problem rejected={rejected} name={name} />
    </span>
  );
}

function CandidateTable({
  request,
  row,
  candidates: { data, has_more },
  canAssign,
}: {
  request: PageRequest;
  row: UnmatchedRow;
  candidates: Candidates;
  canAssign: boolean;
}) {
  const { project } = request;
  return (
    <Table
      caption={`In ${row.currency}, that which lacks an amount nearest to ${formatAmount(row.open, row.currency)} first${has_more ? ', of the newest' : ''}`}
      none={`No remittance in ${row.currency} waits for funds${has_more ? ' among the newest' : ''}.`}
      columns={[
        {
          label: 'Payer’s reference',
          cell: ({ id, payer_reference }) => (
            <a href={projectPath(project, `/remittances/${id}`)}>{payer_reference}</a>
          ),
        },
        { label: 'Received', cell: (each) => <Day at={each.received_at} /> },
        {
          label: 'Lacking',
          isNumber: true,
          cell: ({ lacking }) => <Amount value={lacking} currency={row.currency} />,
        },
        {
          label: 'Advised',
          isNumber: true,
          cell: ({ total }) => <Amount value={total} currency={row.currency} />,
        },
        ...(canAssign
          ? [
              {
                label: 'All of the row',
                cell: (candidate: Candidate) => (
                  <span class="shares">
                    <button
                      type="submit"
                      form={WHOLE}
                      name="remittance"
                      value={candidate.id}
                      aria-label={`Show the effect of an assignment to ${candidate.payer_reference}`}
                    >
                      Show the effect
                    </button>
                    <span>
                      <Fit row={row} candidate={candidate} />
                    </span>
                  </span>
                ),
              },
              {
                label: 'Or a part',
                cell: (candidate: Candidate) => <Shares request={request} candidate={candidate} />,
              },
            ]
          : [
              {
                label: 'With this row',
                cell: (candidate: Candidate) => <Fit row={row} candidate={candidate} />,
              },
            ]),
      ]}
      rows={data}
    />
  );
}

/** The remittances with the form that divides the row among them. */
function Assignments({
  request,
  row,
  candidates,
}: {
  request: PageRequest;
  row: UnmatchedRow;
  candidates: Candidates;
}) {
  const { session, project, rejected } = request;
  const action = projectPath(project, `/unmatched-rows/${row.row}/assignments`);
  if (!permits(session.roles, 'money'))
    return <CandidateTable request={request} row={row} candidates={candidates} canAssign={false} />;
  return (
    <>
      <form id={WHOLE} method="post" action={action}>
        <HiddenFields session={session} />
      </form>
      <form
        class="form decision"
        method="post"
        action={action}
        data-result={projectPath(project, `/unmatched-rows/${row.row}`)}
      >
        <HiddenFields session={session} />
        <CandidateTable request={request} row={row} candidates={candidates} canAssign />
        <div class="amounts other">
          <TextField labels={OTHER} name="remittance" rejected={rejected} isRequired={false} />
          <TextField
            labels={OTHER}
            name="amount"
            rejected={rejected}
            isRequired={false}
            inputMode="decimal"
            hint="Empty: all that remains"
          />
        </div>
        <Remaining request={request} row={row} candidates={candidates.data} />
        <p class="buttons">
          <button type="submit" class="main">
            Show the effect of the parts
          </button>
        </p>
      </form>
    </>
  );
}

/** A settlement that a takeback reverses, as the payments service plans it. The amount is in minor units. */
interface PlannedReversal {
  readonly id: string;
  readonly source_reference: string;
  readonly amount: number;
  readonly remittance_id: string;
  readonly payer_reference: string;
}

/** What a takeback would change now. */
interface TakebackPlan {
  /** The credit that the bank takes back; null if no imported credit has the references and the amount of the row. */
  readonly credit: { readonly row: number; readonly source_reference: string } | null;
  readonly settlements: readonly PlannedReversal[];
  /** The part of the credit that is open afterwards, in minor units. */
  readonly open: number;
}

const takebackPath = (row = '') => `${rowPath(row)}/takebacks`;

/** Reads what the takeback would change. @throws ApiError resource_not_found */
function readTakebackPlan({ calls, project, params }: PageRequest): Promise<TakebackPlan> {
  return calls.service<TakebackPlan>('payments', project, takebackPath(params.row));
}

const NO_CREDIT =
  'No imported credit has the references and the amount of this row. Import the file that has the credit, or reverse the settlement and dismiss this row.';

/** What the takeback changes: the settlements that are reversed, and what stays open of the credit. */
function TakebackEffect({
  project,
  row: { currency },
  plan: { credit, settlements, open },
}: {
  project: Project;
  row: UnmatchedRow;
  plan: TakebackPlan;
}) {
  if (credit === null) return <p>{NO_CREDIT}</p>;
  return (
    <>
      <p>
        {settlements.length === 0
          ? `No settlement is reversed: the open part of the credit ${credit.source_reference} covers the amount.`
          : `Of the credit ${credit.source_reference}, ${settlements.length === 1 ? 'this settlement counts' : 'these settlements count'} no more:`}
      </p>
      {settlements.length > 0 && (
        <Table
          caption="Settlements that are reversed"
          columns={[
            { label: 'Settlement', cell: ({ id }) => <Id project={project} id={id} /> },
            { label: 'Reference', cell: ({ source_reference }) => source_reference },
            {
              label: 'Amount',
              isNumber: true,
              cell: ({ amount }) => <Amount value={amount} currency={currency} />,
            },
            {
              label: 'Of the remittance',
              cell: ({ remittance_id, payer_reference }) => (
                <a href={projectPath(project, `/remittances/${remittance_id}`)}>{payer_reference}</a>
              ),
            },
          ]}
          rows={settlements}
        />
      )}
      <p>
        {open === 0 ? (
          'Nothing of the credit stays open.'
        ) : (
          <>
            <Amount value={open} currency={currency} /> of the credit stay open.
          </>
        )}
      </p>
    </>
  );
}

/** The act that reverses what the bank took back. */
function TakebackAct({
  request: { session, project },
  row,
  plan,
}: {
  request: PageRequest;
  row: UnmatchedRow;
  plan: TakebackPlan;
}) {
  return (
    <form class="form" method="post" action={projectPath(project, `/unmatched-rows/${row.row}/takebacks`)}>
      <h2>Reverse what the bank took back</h2>
      <HiddenFields session={session} />
      <TakebackEffect project={project} row={row} plan={plan} />
      {plan.credit !== null && <button type="submit">Show the effect</button>}
    </form>
  );
}

function DismissalForm({ request, row }: { request: PageRequest; row: UnmatchedRow }) {
  const { session, project, rejected } = request;
  return (
    <form class="form" method="post" action={projectPath(project, `/unmatched-rows/${row.row}/dismissals`)}>
      <h2>Dismiss the row</h2>
      <HiddenFields session={session} />
      <p class="hint">Removes a row that belongs to no remittance from the list.</p>
      <TextField labels={DISMISSAL} name="reason" rejected={rejected} />
      <button type="submit">Dismiss the row</button>
    </form>
  );
}

/** What the bank's file says. */
function RowFacts({ row }: { row: UnmatchedRow }) {
  return (
    <dl>
      <dt>Open</dt>
      <dd>
        <strong>
          <Amount value={row.open} currency={row.currency} />
        </strong>
        {row.open !== row.amount && (
          <>
            {' '}
            of <Amount value={row.amount} currency={row.currency} />
          </>
        )}
      </dd>
      {row.doubt !== null && (
        <>
          <dt>In doubt</dt>
          <dd class="late">{row.doubt}</dd>
        </>
      )}
      <dt>Payer’s reference</dt>
      <dd>{row.payer_reference ?? 'none'}</dd>
      <dt>Observed</dt>
      <dd>
        <Instant at={row.observed_at} />
      </dd>
      <dt>File</dt>
      <dd>
        {row.file}, line {row.line}
      </dd>
      <dt>Number</dt>
      <dd>{row.row}</dd>
    </dl>
  );
}

export const unmatchedRow: Page = {
  path: '/unmatched-rows/:row',
  permission: 'read',
  async render(request) {
    const { session, query } = request;
    const row = await readRow(request);
    const title = `Unmatched row ${row.source_reference}`;
    const isTakeback = row.type === 'takeback';
    const candidates = isTakeback ? null : await readCandidates(request, row);
    const plan = isTakeback && permits(session.roles, 'money') ? await readTakebackPlan(request) : null;
    if (candidates !== null && query.get('part') === 'result')
      return { title, body: <Remaining request={request} row={row} candidates={candidates.data} /> };
    return {
      title,
      scripts: ['result.js'],
      body: (
        <div class="workbench matching">
          <section>
            <h2>The bank’s row</h2>
            <RowFacts row={row} />
          </section>
          <section>
            {candidates === null ? (
              plan !== null && <TakebackAct request={request} row={row} plan={plan} />
            ) : (
              <>
                <h2>Remittances that wait for funds</h2>
                <Assignments request={request} row={row} candidates={candidates} />
              </>
            )}
            {permits(session.roles, 'money') && <DismissalForm request={request} row={row} />}
          </section>
        </div>
      ),
    };
  },
};

const NO_REMITTANCE = 'must be the ID or the payer’s reference of a remittance in the project';

/** Returns the ID of the remittance that a person named by its ID or by the payer's reference; null if there is none. */
async function findRemittance({ calls, project }: PageRequest, text: string): Promise<string | null> {
  if (isIdentifier('remittance', text)) return text;
  if (text.length < 3 || text.length > 200) return null;
  const query = { limit: 1, payer_reference: text };
  const { data } = await calls.execute(project, 'listRemittances', { query });
  return data[0]?.id ?? null;
}

/** How many remittances are read at once. The page lists 10 and takes another one, but only the length of a form limits its parts. */
const READ_AT_ONCE = 11;

/** Reads remittances and how they are reconciled, in the order of the IDs; null in place of one that the project does not have. */
async function findEffects(request: PageRequest, remittanceIds: readonly string[]) {
  const found: (readonly [id: string, effect: Effect | null])[] = [];
  for (let start = 0; start < remittanceIds.length; start += READ_AT_ONCE) {
    const ids = remittanceIds.slice(start, start + READ_AT_ONCE);
    found.push(
      ...(await Promise.all(ids.map(async (id) => [id, await ifFound(readEffect(request, id))] as const))),
    );
  }
  return found;
}

/** A part of a row with the remittance as it is before the act. */
interface Assignment extends Part {
  readonly effect: Effect;
}

/**
 * Reads to which remittances a form assigns which parts of the row.
 *
 * @throws FormError if a remittance does not exist, is in another currency, or the parts exceed what is open
 */
async function readAssignments(request: PageRequest, form: FormReader) {
  const row = await readRow(request);
  const named = form.text('remittance');
  const listed = dividedIds(form.form);
  if (named === '' && listed.length === 0)
    throw new FormError([{ field: 'remittance', problem: 'must not be empty, or a remittance has a part' }]);
  const other = named === '' ? null : await findRemittance(request, named);
  if (named !== '' && other === null) throw new FormError([{ field: 'remittance', problem: NO_REMITTANCE }]);
  const effects = new Map<string, Effect>();
  const ids = [...new Set([...listed, ...(other === null ? [] : [other])])];
  for (const [id, effect] of await findEffects(request, ids)) {
    const field = id === other ? 'remittance' : partField(id);
    if (effect === null) form.reject(field, NO_REMITTANCE);
    else if (effect.report.currency !== row.currency)
      form.reject(field, `must be in ${row.currency}; this one is in ${effect.report.currency}`);
    else effects.set(id, effect);
  }
  form.check();
  const lackingOf = (id: string) => {
    const report = effects.get(id)?.report;
    return report?.observed == null ? undefined : report.expected - report.observed;
  };
  const { parts, rest } = readDivision(form, row, lackingOf, other);
  form.check();
  const assignments = parts.flatMap((part): Assignment[] => {
    const effect = effects.get(part.remittanceId);
    return effect === undefined ? [] : [{ ...part, effect }];
  });
  const basis = [
    `${row.source_reference}: ${row.open} ${row.currency} open`,
    ...assignments.map(
      ({ amount, effect: { found, report } }) =>
        `${amount} to ${found.id}, expected ${report.expected}, observed ${report.observed}`,
    ),
  ].join('; ');
  return { row, assignments, rest, basis };
}

/** Returns the fields of the form with the amounts of all parts, as the audit log records them. */
function confirmedFields(row: UnmatchedRow, assignments: readonly Assignment[]): Record<string, string> {
  const amounts = assignments.map(({ field, amount }) => [field, formatAmount(amount, row.currency)]);
  const other = assignments.find(({ field }) => field === 'amount');
  return {
    [IN_FULL]: '',
    ...Object.fromEntries(amounts),
    ...(other === undefined ? {} : { remittance: other.remittanceId }),
  };
}

/** Returns the remittance and the amount of the part that is recorded first, as the form has them. */
function describeFirst(form: URLSearchParams): readonly [string, string | null] {
  const [listed] = dividedIds(form);
  return listed === undefined
    ? [form.get('remittance') || 'none', form.get('amount')]
    : [listed, form.get(partField(listed))];
}

/** Records the parts in turn. @returns what happened; a part after a rejected one is not recorded */
async function recordParts(
  { calls, project, params }: PageRequest,
  { row, assignments, rest }: Awaited<ReturnType<typeof readAssignments>>,
): Promise<Executed> {
  const { done: recorded, failed } = await executeInTurn(
    assignments,
    async ({ remittanceId, amount, effect }, index) => {
      const shown = formatAmount(amount, row.currency);
      // The first part has the entry of the act.
      if (index > 0)
        await calls.record('settlements.assign', remittanceId, {
          ...{ project_id: project.id, row: params.row, amount: shown, request_id: calls.requestId },
        });
      const body = { remittance_id: remittanceId, amount };
      await calls.service('payments', project, `${rowPath(params.row)}/assignments`, body);
      return `${shown} to ${effect.found.payer_reference}`;
    },
  );
  if (failed !== null)
    return {
      path: `/unmatched-rows/${row.row}`,
      done: `Only a part of the row was assigned: ${recorded.join(', ')}. The part for ${failed.part.effect.found.payer_reference} was not confirmed: ${failed.message} Look at what is open before you continue.`,
    };
  const [sole] = assignments;
  const text =
    recorded.length === 1 && sole !== undefined
      ? `${formatAmount(sole.amount, row.currency)} of the row ${row.source_reference} was assigned to ${sole.effect.found.payer_reference}.`
      : `The row ${row.source_reference} was divided: ${recorded.join(', ')}.`;
  return rest > 0
    ? { path: `/unmatched-rows/${row.row}`, done: `${text} ${formatAmount(rest, row.currency)} stay open.` }
    : {
        path:
          assignments.length === 1 && sole !== undefined
            ? `/remittances/${sole.remittanceId}`
            : '/unmatched-rows',
        done: text,
      };
}

export const assignRow: Act = {
  path: '/unmatched-rows/:row/assignments',
  permission: 'money',
  action: 'settlements.assign',
  page: unmatchedRow,
  labels: OTHER,
  labelOf: labelOfPart,
  describe({ row }, form) {
    const [subject, amount] = describeFirst(form);
    return { subject, details: { row, amount } };
  },
  async preview(request, form) {
    const { row, assignments, rest, basis } = await readAssignments(request, form);
    const [sole] = assignments;
    const sum = formatAmount(row.open - rest, row.currency);
    return {
      title:
        assignments.length === 1 && sole !== undefined
          ? `Assign ${sum} to ${sole.effect.found.payer_reference}?`
          : `Divide ${sum} among ${assignments.length} remittances?`,
      confirm: `Assign ${sum}`,
      basis,
      fields: confirmedFields(row, assignments),
      effect: (
        <>
          <p>
            <Amount value={row.open - rest} currency={row.currency} /> of the row {row.source_reference} will
            be {assignments.length === 1 ? 'a settlement' : `${assignments.length} settlements`}.{' '}
            {rest > 0 ? (
              <>
                <Amount value={rest} currency={row.currency} /> of the row stay open.
              </>
            ) : (
              'Nothing of the row stays open.'
            )}
          </p>
          {assignments.map(({ remittanceId, amount, effect }) => (
            <section key={remittanceId}>
              <h2>
                {formatAmount(amount, row.currency)} to {effect.found.payer_reference}
              </h2>
              <SettlementEffect {...effect} change={amount} />
            </section>
          ))}
        </>
      ),
    };
  },
  async execute(request, form) {
    const read = await readAssignments(request, form);
    // A confirmed form that is sent again after an interruption must not assign a second part of the row.
    if (read.basis !== form.text('confirmed'))
      throw new ApiError(
        'invalid_state',
        'The row or a remittance has changed since you saw the effect. Look at the amounts, and show the effect again.',
      );
    return recordParts(request, read);
  },
};

/** Reads a takeback with its plan, and the text of the plan that a person confirms. @throws ApiError invalid_state if it returns no credit */
async function readTakeback(request: PageRequest) {
  const [row, plan] = await Promise.all([readRow(request), readTakebackPlan(request)]);
  if (plan.credit === null) throw new ApiError('invalid_state', NO_CREDIT);
  const reversals = plan.settlements.map(({ id, amount }) => `${id} ${amount}`);
  const basis = [
    `${row.source_reference}: ${row.amount} ${row.currency} of row ${plan.credit.row}`,
    ...reversals,
    `${plan.open} open`,
  ].join('; ');
  return { row, plan, basis };
}

export const takeBackRow: Act = {
  path: '/unmatched-rows/:row/takebacks',
  permission: 'money',
  action: 'settlements.take-back',
  page: unmatchedRow,
  describe: ({ row = '' }) => ({ subject: row, details: { row } }),
  async preview(request) {
    const { row, plan, basis } = await readTakeback(request);
    const amount = formatAmount(row.amount, row.currency);
    return {
      title: `Reverse what the bank took back with ${row.source_reference}?`,
      confirm: `Reverse what the bank took back, ${amount}`,
      basis,
      effect: (
        <>
          <p>
            The bank took back <Amount value={row.amount} currency={row.currency} />. A reversal is final.
          </p>
          <TakebackEffect project={request.project} row={row} plan={plan} />
        </>
      ),
    };
  },
  async execute(request, form) {
    const { row, plan, basis } = await readTakeback(request);
    if (basis !== form.text('confirmed'))
      throw new ApiError(
        'invalid_state',
        'The row or its credit has changed since you saw the effect. Show the effect again.',
      );
    const { calls, project, params } = request;
    const settlements = plan.settlements.map(({ id }) => id);
    const { data, problem } = await calls.service<{
      readonly data: readonly Settlement[];
      readonly problem: string | null;
    }>('payments', project, takebackPath(params.row), { settlements });
    const referenceOf = (id: string) =>
      plan.settlements.find(({ remittance_id }) => remittance_id === id)?.payer_reference ?? id;
    const reversed = data
      .map(
        ({ amount, source_reference, remittance_id }) =>
          `${formatAmount(amount.observed, amount.currency)} of ${referenceOf(remittance_id)} with the reference ${source_reference}`,
      )
      .join(', ');
    if (problem !== null)
      return {
        path: `/unmatched-rows/${row.row}`,
        done: `Only a part was reversed: ${reversed}. ${settlements.length - data.length} of ${settlements.length} settlements were not: ${problem} The row waits: show the effect again.`,
      };
    const what = `What the bank took back, ${formatAmount(row.amount, row.currency)} with the reference ${row.source_reference}, is returned.`;
    const open = plan.open === 0 ? '' : ` ${formatAmount(plan.open, row.currency)} of the credit stay open.`;
    return {
      path: '/unmatched-rows',
      done: `${what} ${data.length === 0 ? 'No settlement was reversed.' : `Reversed: ${reversed}.`}${open}`,
    };
  },
};

export const dismissRow: Act = {
  path: '/unmatched-rows/:row/dismissals',
  permission: 'money',
  action: 'settlements.dismiss',
  page: unmatchedRow,
  labels: DISMISSAL,
  describe: ({ row = '' }, form) => ({
    subject: row,
    details: { row, reason: form.get('reason') },
  }),
  async execute({ calls, project, params }, form) {
    const reason = form.reason('reason');
    form.check();
    const path = `${rowPath(params.row)}/dismissals`;
    const row = await calls.service<UnmatchedRow>('payments', project, path, { reason });
    return {
      path: '/unmatched-rows',
      done: `The row ${row.source_reference} of ${formatAmount(row.amount, row.currency)} was dismissed.`,
    };
  },
};
