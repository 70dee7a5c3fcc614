/**
 * Prints links into the Temporal UI for common queries, with the current date in them:
 *   node docs/operators/temporal-links.mjs [address of the UI] [namespace]
 */
import { pathToFileURL } from 'node:url';

const DAY_MS = 86_400_000;

/**
 * Common queries of operators, as Temporal list filters.
 *
 * @param {Date} now
 * @returns {{ title: string, query: string }[]}
 */
export function queries(now) {
  const at = (ms) => `"${new Date(now.getTime() + ms).toISOString()}"`;
  const open = 'ExecutionStatus = "Running"';
  return [
    {
      title: 'Claims that wait for information',
      query: `ClaimStatus = "queried" AND ${open}`,
    },
    {
      title: 'Claims queried and overdue (should be none: a request that is not answered lapses)',
      query: `ClaimStatus = "queried" AND DueAt < ${at(0)} AND ${open}`,
    },
    {
      title: 'Claims that wait for adjudication',
      query: `ClaimStatus = "submitted" AND ${open}`,
    },
    {
      title: 'Pre-authorizations that wait for a decision',
      query: `PreauthorizationStatus = "pending" AND ${open}`,
    },
    {
      title: 'Pre-authorizations expiring within a week',
      query: `PreauthorizationStatus IN ("pending", "approved") AND DueAt BETWEEN ${at(0)} AND ${at(7 * DAY_MS)} AND ${open}`,
    },
    {
      title: 'Remittances in exception',
      query: `RemittanceStatus = "exception" AND ${open}`,
    },
    {
      title: 'Remittances whose deadline is within three days',
      query: `RemittanceStatus = "received" AND DueAt < ${at(3 * DAY_MS)} AND ${open}`,
    },
    { title: 'Anything overdue by more than a minute', query: `DueAt < ${at(-60_000)} AND ${open}` },
    {
      title: 'Workflows whose tasks fail (a bug)',
      query: `TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut") AND ${open}`,
    },
    {
      title: 'Workflows with an abnormal end (should be none)',
      query: 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled")',
    },
  ];
}

/** The address of the UI's workflow list for a query. */
export function link(ui, namespace, query) {
  return `${ui.replace(/\/$/, '')}/namespaces/${namespace}/workflows?query=${encodeURIComponent(query)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [ui = 'http://127.0.0.1:8233', namespace = 'default'] = process.argv.slice(2);
  for (const { title, query } of queries(new Date())) {
    console.log(`${title}\n  ${query}\n  ${link(ui, namespace, query)}\n`);
  }
}
