/** Renders the page that explains the history of a claim workflow. The page shows events of recorded runs as the Temporal UI shows them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceChange } from '@carecover/domain';
import { CHANGED } from '@carecover/temporal/workflow';
import { ROOT } from '../pages';

interface Payload {
  readonly data?: string;
}
interface HistoryEvent {
  readonly eventId: string;
  readonly eventTime: string;
  readonly eventType: string;
  readonly userMetadata?: { readonly summary?: Payload };
  readonly workflowExecutionSignaledEventAttributes?: {
    readonly input: { readonly payloads: readonly [Payload] };
  };
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { readonly name: string } };
  readonly activityTaskStartedEventAttributes?: {
    readonly attempt: number;
    readonly lastFailure?: { readonly message: string };
  };
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

/** Describes a signal by the changes that it names. */
function describeSignal(input: Payload): string {
  const changes = decode<readonly ResourceChange[]>(input) ?? [];
  const described = changes.map(({ what, actor }) => `**${what}** by \`${actor}\``);
  return `signal \`${CHANGED}\`: ${described.join(', ')}`;
}

/** Describes an event of a workflow history; returns null for an event that shows nothing about the claim, such as a workflow task. */
function describeEvent(event: HistoryEvent): string | null {
  const {
    workflowExecutionSignaledEventAttributes: signaled,
    activityTaskScheduledEventAttributes: scheduled,
    activityTaskStartedEventAttributes: started,
    upsertWorkflowSearchAttributesEventAttributes: upserted,
  } = event;
  const summary = decode<string>(event.userMetadata?.summary ?? {}) ?? '';
  if (signaled) return describeSignal(signaled.input.payloads[0]);
  if (scheduled) return `activity \`${scheduled.activityType.name}\`: ${summary}`;
  if (started) {
    const failure = started.lastFailure === undefined ? '' : ` after \`${started.lastFailure.message}\``;
    return `the activity starts, attempt ${started.attempt}${failure}`;
  }
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
    case 'EVENT_TYPE_ACTIVITY_TASK_COMPLETED':
      return 'the activity has ended: the command has its response';
    case 'EVENT_TYPE_TIMER_STARTED':
      return `timer: ${summary}`;
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

Two recorded runs of a claim's workflow, as the Temporal UI lists their events, without those of workflow tasks. The second
column is seconds since the start. [Reading a history](finding-things.md#reading-a-history) explains the entries. A signal can name several
changes, because they are collected for some seconds; the page shows the first two.

![The run of a claim in the Temporal UI: two signals, the timer of an answered information request, and a third signal](../images/temporal-claim.png)

The tab Timeline: each signal \`changed\` is followed by a step, and the bar is what the run waited for.

## From submission to settlement

The payer requests information, receives evidence, and adjudicates. When the settlement has settled the claim, the run ends.

${renderTable(release, 'settled')}

## An interrupted command

The process that adjudicated the claim was killed between two steps. After the lease of the command, a sweep signals the workflow.

${renderTable(release, 'interrupted-adjudication')}
`;
