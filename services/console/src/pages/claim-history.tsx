/** What happened to a claim beside its facts: its adjudications, postings and deliveries, and the state of its workflow. */

import type { RejectedCommand } from '@carecover/commands';
import type { Adjudication } from '@carecover/contract';
import type { WorkflowRun } from '@carecover/temporal';
import type { ComponentChildren } from 'preact';
import { type PageRequest, projectPath } from '../page';
import { Amount, Id, Instant, LINE_PARTS, Status, Table } from '../parts';
import { wordsOf } from '../words';
import { RejectedCommandsTable } from './rejected-commands';

/** What the operators' routes of the services return about a claim. A part is null while its service is unavailable. */
export async function readHistory({ calls, project }: PageRequest, claimId: string) {
  const [adjudications, postings, deliveries, workflow, rejected] = await Promise.all([
    calls.readIfAvailable<{ data: Adjudication[]; has_more: boolean }>(
      'claims',
      project,
      `/claims/${claimId}/adjudications`,
    ),
    calls.readIfAvailable<{ data: Posting[]; has_more: boolean }>(
      'payments',
      project,
      `/claims/${claimId}/postings`,
    ),
    calls.readIfAvailable<{ data: ClaimDelivery[]; has_more: boolean }>(
      'webhooks',
      project,
      `/resources/${claimId}/deliveries`,
    ),
    calls.readIfAvailable<{ run: WorkflowRun | null }>('claims', project, `/claims/${claimId}/workflow`),
    calls.readIfAvailable<{ data: RejectedCommand[] }>(
      'claims',
      project,
      `/claims/${claimId}/rejected_commands`,
    ),
  ]);
  return { adjudications, postings, deliveries, workflow, rejected };
}

export type History = Awaited<ReturnType<typeof readHistory>>;

const UNAVAILABLE = <p class="none">Not available now. Reload the page later.</p>;

/** The amounts of an adjudication with their labels, in the order in which they are shown. */
const DECIDED = [
  ['billed', 'Billed'],
  ['payer', 'Payer'],
  ['patient_responsibility', 'Patient'],
  ['adjustment', 'Adjustment'],
] as const;

/**
 * A table of the newest adjudications: one column per version, and one row per amount of the claim and of each line. A row is marked if
 * its values differ.
 */
export function Adjudications({ adjudications }: Pick<History, 'adjudications'>) {
  if (adjudications === null) return UNAVAILABLE;
  const { data, has_more } = adjudications;
  const [newest] = data;
  if (newest === undefined) return <p class="none">The claim has not been adjudicated.</p>;
  const versions = [...data].reverse();
  const row = (label: string, cells: readonly ComponentChildren[], values: readonly unknown[]) => (
    <tr key={label} class={new Set(values).size > 1 ? 'differs' : undefined}>
      <th scope="row">{label}</th>
      {cells.map((cell, index) => (
        <td key={index} data-label={`Version ${versions[index]?.version}`}>
          {cell}
        </td>
      ))}
    </tr>
  );
  const texts = (label: string, read: (adjudication: Adjudication) => string) => {
    const values = versions.map(read);
    return row(label, values, values);
  };
  const amounts = (label: string, read: (adjudication: Adjudication) => number | undefined) => {
    const values = versions.map((each) => read(each) ?? null);
    const cells = values.map((value, index) => (
      <Amount key={index} value={value} currency={versions[index]?.amount.currency ?? ''} />
    ));
    return row(label, cells, values);
  };
  const lines = [...new Set(versions.flatMap(({ lines: all }) => all.map(({ line_number }) => line_number)))];
  return (
    <table class="versions">
      <caption>
        {has_more ? `The newest ${versions.length} of ${newest.version} adjudications` : 'All adjudications'},
        the oldest to the left; a mark is at rows that differ
      </caption>
      <thead>
        <tr>
          <td />
          {versions.map(({ version }) => (
            <th key={version} scope="col">
              Version {version}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row(
          'Decision',
          versions.map(({ decision }) => <Status key={decision} value={decision} />),
          versions.map(({ decision }) => decision),
        )}
        {row(
          'Decided',
          versions.map(({ decided_at }) => <Instant key={decided_at} at={decided_at} />),
          [],
        )}
        {texts('Policy', ({ policy }) => `${policy.reference} ${policy.version}`)}
        {texts('Reasons', ({ reason_codes }) => reason_codes.join(', '))}
        {DECIDED.map(([name, label]) => amounts(label, ({ amount }) => amount[name]))}
        {lines.flatMap((number) =>
          LINE_PARTS.map((name) =>
            amounts(
              `Line ${number}: ${wordsOf(name)}`,
              ({ lines: all }) => all.find(({ line_number }) => line_number === number)?.amount[name],
            ),
          ),
        )}
      </tbody>
    </table>
  );
}

/** A posting of the ledger, as the payments service returns it. */
interface Posting {
  readonly source: string;
  readonly destination: string;
  readonly amount: number;
  readonly currency: string;
  readonly cause: string;
  readonly effective_at: string;
  readonly recorded_at: string;
}

export function Postings({
  request: { project },
  postings,
}: { request: PageRequest } & Pick<History, 'postings'>) {
  if (postings === null) return UNAVAILABLE;
  const { data, has_more } = postings;
  return (
    <Table
      name="postings"
      caption={
        has_more
          ? `The newest ${data.length} postings, in the order of recording`
          : 'Postings, in the order of recording'
      }
      none="Nothing was posted."
      columns={[
        { label: 'Recorded', cell: (posting) => <Instant at={posting.recorded_at} isPrecise /> },
        { label: 'From', cell: (posting) => wordsOf(posting.source) },
        { label: 'To', cell: (posting) => wordsOf(posting.destination) },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
        },
        { label: 'Effective', cell: (posting) => <Instant at={posting.effective_at} isPrecise /> },
        { label: 'Cause', cell: ({ cause }) => <Cause project={project} cause={cause} /> },
      ]}
      rows={data}
    />
  );
}

/** The cause of a posting: the ID of a resource, with the suffix ":reversal" for a reversal. */
function Cause({ project, cause }: { project: PageRequest['project']; cause: string }) {
  const [id = '', suffix] = cause.split(':');
  return (
    <>
      <Id project={project} id={id} />
      {suffix === undefined ? '' : ` ${suffix}`}
    </>
  );
}

/** A delivery of an event about the claim, as the webhooks service returns it. */
interface ClaimDelivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: string | null;
}

export function Deliveries({
  request: { project },
  deliveries,
}: { request: PageRequest } & Pick<History, 'deliveries'>) {
  if (deliveries === null) return UNAVAILABLE;
  const { data, has_more } = deliveries;
  return (
    <Table
      name="deliveries"
      caption={
        has_more
          ? `The newest ${data.length} deliveries of the claim’s events`
          : 'Deliveries of the claim’s events, newest first'
      }
      none="No event of the claim was sent to an endpoint."
      columns={[
        {
          label: 'Event',
          cell: ({ id, endpoint_id, type }) => (
            <a href={projectPath(project, `/webhooks/${endpoint_id}/deliveries/${id}`)}>{type}</a>
          ),
        },
        { label: 'Endpoint', cell: ({ url }) => url },
        { label: 'Status', cell: ({ status }) => <Status value={status} /> },
        { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
        { label: 'Last response', cell: ({ response_status }) => response_status ?? 'none' },
        { label: 'Next attempt', cell: ({ next_attempt_at }) => <Instant at={next_attempt_at} /> },
      ]}
      rows={data}
    />
  );
}

export function Workflow({
  request: { temporalUi },
  claimId,
  workflow,
}: { request: PageRequest; claimId: string } & Pick<History, 'workflow'>) {
  if (workflow === null) return <>not available now</>;
  const { run } = workflow;
  if (run === null) return <>none</>;
  const address = `${temporalUi}/namespaces/${run.namespace}/workflows/${claimId}/${run.run_id}/history`;
  return (
    <>
      <Status value={run.status} />, since <Instant at={run.started_at} />
      {temporalUi !== null && (
        <>
          {', '}
          <a href={address} rel="noreferrer">
            history in Temporal’s UI
          </a>
        </>
      )}
    </>
  );
}

export function RejectedCommands({
  request: { project },
  rejected,
}: { request: PageRequest } & Pick<History, 'rejected'>) {
  return rejected === null ? (
    UNAVAILABLE
  ) : (
    <RejectedCommandsTable project={project} rows={rejected.data} isOfOneResource />
  );
}
