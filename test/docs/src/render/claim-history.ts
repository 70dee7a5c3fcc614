/** Renders the page that explains the history of a claim workflow. The page shows events of recorded runs as the Temporal UI shows them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../pages';

interface Payload {
  readonly data?: string;
}
interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly userMetadata?: { readonly summary?: Payload };
  readonly workflowExecutionUpdateAcceptedEventAttributes?: {
    readonly acceptedRequest: { readonly input: { readonly name: string } };
  };
  readonly workflowExecutionUpdateCompletedEventAttributes?: {
    readonly outcome: { readonly failure?: { readonly message: string } };
  };
  readonly workflowExecutionSignaledEventAttributes?: { readonly signalName: string };
  readonly markerRecordedEventAttributes?: {
    readonly details: { readonly data: { readonly payloads: readonly [Payload] } };
    readonly failure?: { readonly message: string; readonly cause?: { readonly message: string } };
  };
  readonly upsertWorkflowSearchAttributesEventAttributes?: {
    readonly searchAttributes: { readonly indexedFields: Readonly<Record<string, Payload>> };
  };
}

const HISTORIES = join(ROOT, 'workflows/claim/histories');

function decode<T>({ data }: Payload): T | undefined {
  return data === undefined ? undefined : JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
}

function describeMarker({ userMetadata, markerRecordedEventAttributes: marker }: HistoryEvent): string {
  const [data] = marker?.details.data.payloads ?? [{}];
  const { activity_type: step, attempt } = decode<{ activity_type: string; attempt: number }>(data) ?? {
    activity_type: '',
    attempt: 0,
  };
  const summary = decode<string>(userMetadata?.summary ?? {}) ?? '';
  const failure = marker?.failure?.cause?.message ?? marker?.failure?.message;
  const outcome = failure === undefined ? '' : `: failed at attempt ${attempt} (\`${failure}\`)`;
  return `step \`${step}\`: ${summary}${outcome}`;
}

/** Describes an event of a workflow history; returns null for an event that shows nothing about the claim, such as a workflow task. */
function describeEvent(event: HistoryEvent): string | null {
  const {
    workflowExecutionUpdateAcceptedEventAttributes: accepted,
    workflowExecutionUpdateCompletedEventAttributes: completed,
    workflowExecutionSignaledEventAttributes: signaled,
    upsertWorkflowSearchAttributesEventAttributes: upserted,
  } = event;
  if (accepted) return `**command \`${accepted.acceptedRequest.input.name}\`**`;
  if (completed) {
    const { failure } = completed.outcome;
    return failure ? `the command is rejected: ${failure.message}` : 'the command has a response';
  }
  if (signaled) return `signal \`${signaled.signalName}\``;
  if (event.markerRecordedEventAttributes) return describeMarker(event);
  if (upserted) {
    const fields = Object.entries(upserted.searchAttributes.indexedFields);
    const shown = fields.map(([name, value]) => `\`${name}\` ${decode<string>(value) ?? 'removed'}`);
    return `search attributes: ${shown.join(', ')}`;
  }
  switch (event.eventType) {
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED':
      return 'the run starts';
    case 'EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED':
      return 'the run ends';
    case 'EVENT_TYPE_TIMER_STARTED':
      return `timer: ${decode<string>(event.userMetadata?.summary ?? {}) ?? 'the next attempt of the step'}`;
    case 'EVENT_TYPE_TIMER_FIRED':
      return 'the timer fires';
    case 'EVENT_TYPE_TIMER_CANCELED':
      return 'the timer is cancelled';
    default:
      return null;
  }
}

function renderTable(release: string, name: string): string {
  const file = join(HISTORIES, release, `${name}.json`);
  const { events } = JSON.parse(readFileSync(file, 'utf8')) as { events: readonly HistoryEvent[] };
  const startMs = Date.parse(events[0]?.eventTime ?? '');
  const rows = events.flatMap((event) => {
    const line = describeEvent(event);
    const seconds = (Date.parse(event.eventTime) - startMs) / 1_000;
    return line === null ? [] : [`| ${event.eventId} | ${seconds.toFixed(1)} | ${line} |`];
  });
  return ['| event | s | what |', '| --- | --- | --- |', ...rows].join('\n');
}

/**
 * Renders the page about the history of a claim workflow.
 *
 * @param release the release that recorded the runs
 */
export const renderClaimHistoryPage = (release: string): string => `# A claim's history

Two recorded runs of a claim's workflow, as the Temporal UI lists their events, without the events of workflow tasks. The second
column is seconds since the run started. Every command is an Update. Every step is a marker of a local activity, with its summary. A step in
another service is one HTTP call, and its summary begins with that service's name. Several steps run in one workflow task, and Temporal writes
their events together when the task ends. The body of a command is not in Temporal. The command's ID is the ID of its row in PostgreSQL: see
[finding resources](finding-things.md).

## From submission to settlement

The provider submits the claim. The payer requests information, receives evidence, and adjudicates. Remittance and settlement are recorded on the
claim without its workflow. When the settlement settles the claim, a background loop signals the workflow, which reads the claim and ends.

${renderTable(release, 'settled')}

## A service is unavailable

The claim is cancelled while benefits is unavailable. The first attempts follow within a second. After that a timer separates the attempts, and each
failed attempt is a marker with its reason. The pauses double up to half a minute, and the attempts continue until benefits responds. Then the command
gets its response.

${renderTable(release, 'cancelled')}
`;
