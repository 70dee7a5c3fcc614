/**
 * The commands of a resource that were rejected, as the histories of its workflow have them. A rejected command has no row in the
 * database, so that its idempotency key can be used again.
 */
import type { ErrorCode } from '@carecover/contract';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { tsToDate } from '@temporalio/common/lib/time';
import { ApiError } from './api-error';
import { unwrapFailure } from './temporal-errors';
import type { CommandMessage } from './workflow';

/**
 * Maximum number of runs whose histories are read, newest first. If a resource's workflow has ended, each further command on the resource
 * gets a new run.
 */
const MAX_RUNS = 10;

/** A rejected command, as operators see it. */
export interface RejectedCommand {
  /** The name of the Update, such as `adjudicate`. */
  readonly update: string;
  /** Who sent the command: `project:…/key:…`, `operator:…` or `service:…`. */
  readonly authority: string;
  readonly request_id: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly rejected_at: string;
}

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** Finds the rejected commands of one run in its history. */
function rejectionsIn({ events }: History): RejectedCommand[] {
  const rejected: RejectedCommand[] = [];
  const accepted = new Map<string, { readonly update: string; readonly message: CommandMessage }>();
  for (const event of events ?? []) {
    const request = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest;
    const [payload] = request?.input?.args?.payloads ?? [];
    if (request != null && payload !== undefined) {
      const message = defaultPayloadConverter.fromPayload<CommandMessage>(payload);
      accepted.set(request.meta?.updateId ?? '', { update: request.input?.name ?? '', message });
    }
    const completed = event.workflowExecutionUpdateCompletedEventAttributes;
    const command = accepted.get(completed?.meta?.updateId ?? '');
    const failure = completed?.outcome?.failure;
    if (failure == null || command === undefined || event.eventTime == null) continue;
    const error = unwrapFailure(defaultFailureConverter.failureToError(failure, defaultPayloadConverter));
    // A failure that is not an API error did not reject the command, so it is not listed.
    if (!(error instanceof ApiError)) continue;
    const { update, message } = command;
    const { authority, requestId: request_id } = message;
    const rejected_at = tsToDate(event.eventTime).toISOString();
    rejected.push({ update, authority, request_id, code: error.code, message: error.message, rejected_at });
  }
  return rejected;
}

/**
 * Reads the commands that the newest runs of a resource's workflow rejected, newest first. Temporal deletes histories after the retention
 * time.
 *
 * @throws the errors of the Temporal client
 */
export async function readRejectedCommands(
  { workflow }: Pick<Client, 'workflow'>,
  resourceId: string,
): Promise<RejectedCommand[]> {
  const runIds: string[] = [];
  for await (const { runId } of workflow.list({
    query: `WorkflowId = '${resourceId}'`,
    pageSize: MAX_RUNS,
  })) {
    runIds.push(runId);
    if (runIds.length === MAX_RUNS) break;
  }
  const rejections = await Promise.all(
    runIds.map(async (runId) => {
      try {
        return rejectionsIn(await workflow.getHandle(resourceId, runId).fetchHistory());
      } catch (error) {
        // Temporal's list of runs can contain a run whose history was deleted. Such a run counts as one without rejections.
        if (error instanceof WorkflowNotFoundError) return [];
        throw error;
      }
    }),
  );
  const rejected = rejections.flat();
  return rejected.sort((a, b) => b.rejected_at.localeCompare(a.rejected_at));
}
