/**
 * Renders the pages and parts of pages that are generated from the API contract: events, errors, currencies, and the schedule of attempts.
 */
import {
  alternativesOf,
  currencies,
  type EventType,
  errorCodes,
  eventCatalogue,
  eventSchemas,
  eventTypes,
  operationErrors,
  operationList,
  WEBHOOK_SCHEDULE_MS,
} from '@carecover/contract';
import { isConfirmed, scopesOf, tools } from '@carecover/mcp';

const NOTE =
  '<!-- Generated from the contract by a test (UPDATE_DOCS=1 npx jest test/docs). Do not edit. -->';

/** The event types whose data the generated page shows as examples: one for each kind of resource, and the test event. */
const SHOWN = [
  'claim.settled',
  'preauthorization.approved',
  'remittance.reconciled',
  'sandbox.ping',
] as const satisfies readonly EventType[];

const NAMES = {
  claim: 'claim',
  preauthorization: 'pre-authorization',
  remittance: 'remittance',
  ping: 'ping',
} as const;

function example(type: EventType): string {
  return JSON.stringify(Reflect.get(eventSchemas[type], 'examples')[0], null, 2);
}

export function renderEventPage(): string {
  return [
    '# Event catalogue',
    '',
    NOTE,
    '',
    '[Webhooks](webhooks.md) describes the request that delivers an event, and how to receive it.',
    '',
    '| event | sent when |',
    '|---|---|',
    ...eventTypes.map((type) => `| \`${type}\` | ${eventCatalogue[type].meaning} |`),
    ...SHOWN.flatMap((type) => [
      '',
      `## About a ${NAMES[eventCatalogue[type].about]}`,
      '',
      `\`${type}\`:`,
      '',
      '```json event',
      example(type),
      '```',
    ]),
    '',
  ].join('\n');
}

export function renderErrorPage(): string {
  return [
    '# Errors',
    '',
    NOTE,
    '',
    'Every error response is `{"error": {"code", "message", "docs"}}`. Branch on `code`, which is stable. `message` is text for a developer; it names the',
    'field as a JSON pointer where a field caused the error. `docs` links to the code on this page.',
    '',
    ...Object.entries(errorCodes).flatMap(([code, { status, explanation, action, retry }]) => {
      const where = operationList.filter((operation) =>
        operationErrors(operation).some((each) => each === code),
      );
      const isCommon = where.length > operationList.length / 2;
      return [
        `## ${code}`,
        '',
        `**${status}**${retry ? ', may be retried unchanged' : ''}. ${explanation}`,
        '',
        `_What to do:_ ${action}`,
        ...(isCommon || where.length === 0
          ? []
          : ['', `_Where:_ ${where.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}`]),
        '',
      ];
    }),
  ].join('\n');
}

export function renderCurrencyList(): string {
  return `Currencies: ${currencies.map((currency) => `\`${currency}\``).join(', ')}.`;
}

function formatDuration(ms: number): string {
  if (ms === 0) return 'at once';
  const [value, unit] =
    ms < 60_000 ? [ms / 1000, 's'] : ms < 3_600_000 ? [ms / 60_000, 'min'] : [ms / 3_600_000, 'h'];
  return `${value} ${unit}`;
}

export function renderSchedule(): string {
  const [first, ...pauses] = WEBHOOK_SCHEDULE_MS.map(formatDuration);
  const longest = formatDuration(Math.max(...WEBHOOK_SCHEDULE_MS));
  return [
    `The service makes up to ${WEBHOOK_SCHEDULE_MS.length} attempts: the first ${first}, the others after pauses of ${pauses.join(', ')},`,
    'each varied by up to 10 %. If the last attempt fails, the delivery has failed.',
    '',
    'With a response 429 or 503, a receiver can request a longer pause by the header `Retry-After`, in seconds or as an HTTP date. The next attempt is then',
    `not made before that time, nor before its time in the schedule, and at most 10 % later. A request for more than ${longest} counts as ${longest}. The number of`,
    'attempts stays the same.',
  ].join('\n');
}

/** Renders a table of tools of the MCP endpoint, with the first sentence of their descriptions. @param isOfWrites whether a person confirms them */
export function renderToolTable(isOfWrites: boolean): string {
  const shown = tools.filter((tool) => isConfirmed(tool) === isOfWrites);
  const rows = shown.map((tool) => {
    const [sentence = ''] = /^[^.:]+/.exec(tool.description) ?? [];
    return `| \`${tool.name}\` | ${sentence} | ${scopesOf(tool)
      .map((scope) => alternativesOf(scope).join(' or '))
      .join(', ')} |`;
  });
  return ['| tool | what it does | scopes |', '| --- | --- | --- |', ...rows].join('\n');
}
