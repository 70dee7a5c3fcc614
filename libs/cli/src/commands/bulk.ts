/** `carecover bulk …`: submits files whose lines are executed through the API, and reads their progress and results. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob, BulkJobId, BulkJobResult, Carecover } from '@carecover/client';
import { bulkJobKinds, bulkJobOnErrors, scopesOfBulkJobKinds } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { BASE_URL, withApi } from '../api-connection';
import type { CommandContext } from '../command-context';
import { requireReadable } from '../input-file';
import { formatJson, printResult, printTable } from '../output';

interface ConnectionOptions {
  readonly baseUrl?: string;
  readonly json?: true;
}

interface SubmitOptions extends ConnectionOptions {
  readonly kind: BulkJob['kind'];
  readonly onError?: BulkJob['on_error'];
  readonly dryRun?: true;
  readonly key?: string;
}

interface ResultsOptions extends ConnectionOptions {
  readonly status?: BulkJobResult['status'];
}

/** How often the progress of a job is read, in milliseconds. */
const POLL_MS = 500;
/** The number of results of one request. */
const PAGE = 100;
/** Of which scopes a key needs one. */
const SCOPE_OF_KIND = `of the kind (${Object.entries(scopesOfBulkJobKinds)
  .map(([kind, scope]) => `${kind}: ${scope}`)
  .join(', ')})`;

function summaryOf({ id, kind, status, dry_run, counts }: BulkJob) {
  return { id, kind, status, dry_run, ...counts };
}

/** Shows the progress of a job until it has ended or is paused. */
async function follow(context: CommandContext, client: Carecover, started: BulkJob): Promise<BulkJob> {
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {percentage}% | {value} of {total} lines, {rejected} rejected',
    linewrap: true,
  });
  bar.start(started.counts.total, 0, { rejected: 0 });
  try {
    for (let job = started; ; job = await client.bulkJobs.retrieve(job.id as BulkJobId)) {
      const { total, waiting, rejected } = job.counts;
      bar.update(total - waiting, { rejected });
      if (job.completed_at !== null || job.status === 'paused') return job;
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

/**
 * Submits a file, and waits for the end of its job. Without a key, the key is a digest of the file, so that the same command again follows the
 * same job.
 *
 * @throws OperatorError at the end if lines were rejected or not executed
 */
async function submitFile(context: CommandContext, file: string, options: SubmitOptions): Promise<void> {
  const { readBulkFile } = await import('../bulk-file');
  await requireReadable(file);
  const { kind, onError, dryRun, json } = options;
  const { upload, digest } = await readBulkFile(file, [kind, onError ?? '', String(dryRun ?? false)]);
  await withApi(context, options.baseUrl, SCOPE_OF_KIND, async (client) => {
    const created = await client.bulkJobs.create(
      {
        kind,
        ...(dryRun === true ? { dry_run: true } : {}),
        ...(onError === undefined ? {} : { on_error: onError }),
      },
      upload,
      { idempotencyKey: options.key ?? `file-${digest}` },
    );
    const job = await follow(context, client, await client.bulkJobs.retrieve(created.id as BulkJobId));
    printResult(context.output, json === true, summaryOf(job));
    const { rejected, waiting } = job.counts;
    if (rejected + waiting === 0) return;
    throw new OperatorError(
      `${rejected} of the lines were rejected, and ${waiting} were not executed. See carecover bulk results ${job.id} --status rejected.`,
    );
  });
}

async function printResults(context: CommandContext, id: string, options: ResultsOptions): Promise<void> {
  const { status, json } = options;
  await withApi(context, options.baseUrl, SCOPE_OF_KIND, async (client) => {
    for (let afterLine = 0; ; ) {
      const page = await client.bulkJobs.results(id as BulkJobId, {
        limit: PAGE,
        after_line: afterLine,
        ...(status === undefined ? {} : { status }),
      });
      if (json === true) for (const result of page.data) context.output.write(`${formatJson(result)}\n`);
      else if (page.data.length > 0) printTable(context.output, false, page.data.map(rowOf));
      afterLine = page.data.at(-1)?.line ?? afterLine;
      if (!page.has_more) return;
    }
  });
}

function rowOf({ line, reference, status, resource_id, error }: BulkJobResult) {
  return { line, reference, status, resource_id, code: error?.code ?? null, message: error?.message ?? null };
}

async function printJob(
  context: CommandContext,
  options: ConnectionOptions,
  read: (client: Carecover) => Promise<BulkJob>,
): Promise<void> {
  const job = await withApi(context, options.baseUrl, SCOPE_OF_KIND, read);
  printResult(context.output, options.json === true, summaryOf(job));
}

const KEY_HELP = `\nSet CARECOVER_SECRET_KEY to a key with the scope ${SCOPE_OF_KIND}, or run the local stack.`;

export function addBulk(bulk: Command, context: CommandContext): void {
  bulk
    .command('submit')
    .argument('<file>', 'a .csv file with a heading, or JSON lines; a line has the fields of the operation')
    .description('execute each line of a file; the same command again follows the same job')
    .addOption(new Option('--kind <kind>', 'what each line is').choices(bulkJobKinds).makeOptionMandatory())
    .addOption(new Option('--on-error <what>', 'what follows a rejected line').choices(bulkJobOnErrors))
    .option('--dry-run', 'decide each line on the facts of now, and write nothing')
    .option('--key <key>', 'the idempotency key, in place of a digest of the file')
    .option(...BASE_URL)
    .option('--json', 'print the job as JSON')
    .addHelpText('after', KEY_HELP)
    .action((file: string, options: SubmitOptions) => submitFile(context, file, options));
  bulk
    .command('show')
    .argument('<job>', "the job's ID, job_…")
    .description('print the progress of a job')
    .option(...BASE_URL)
    .option('--json', 'print the job as JSON')
    .action((id: string, options: ConnectionOptions) =>
      printJob(context, options, (client) => client.bulkJobs.retrieve(id as BulkJobId)),
    );
  bulk
    .command('results')
    .argument('<job>', "the job's ID, job_…")
    .description('print the result of each line, in the order of the file')
    .option('--status <status>', 'only results with this status, such as rejected')
    .option(...BASE_URL)
    .option('--json', 'print each result as JSON, one per line')
    .action((id: string, options: ResultsOptions) => printResults(context, id, options));
  bulk
    .command('cancel')
    .argument('<job>', "the job's ID, job_…")
    .description('cancel a job: what is executed remains, the rest is not executed')
    .option(...BASE_URL)
    .option('--json', 'print the job as JSON')
    .action((id: string, options: ConnectionOptions) =>
      printJob(context, options, (client) => client.bulkJobs.cancel(id as BulkJobId)),
    );
}
