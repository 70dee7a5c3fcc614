/** The pages and tables that repeat the contract: events, errors, currencies, the schedule of tries. */
import {
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

const NOTE =
  '<!-- Written from the contract by a test (UPDATE_DOCS=1 npx jest test/docs); not to be edited. -->';

/** The most telling event about each kind of resource. */
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

export function eventPage(): string {
  return [
    '# Event catalogue',
    '',
    NOTE,
    '',
    'What each event looks like on the wire, and how to receive it, stands in [webhooks](webhooks.md).',
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

export function errorPage(): string {
  return [
    '# Errors',
    '',
    NOTE,
    '',
    'Every error answer is `{"error": {"code", "message", "docs"}}`. Branch on `code`, which is stable; `message` is for people, and names the',
    'field as a JSON pointer where there is one. `docs` leads to the code on this page, as the service serves it.',
    '',
    ...Object.entries(errorCodes).flatMap(([code, { status, explanation, action, retry }]) => {
      const where = operationList.filter((operation) =>
        operationErrors(operation).some((each) => each === code),
      );
      const usual = where.length > operationList.length / 2;
      return [
        `## ${code}`,
        '',
        `**${status}**${retry ? ', may be retried unchanged' : ''}. ${explanation}`,
        '',
        `_What to do:_ ${action}`,
        ...(usual || where.length === 0
          ? []
          : ['', `_Where:_ ${where.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}`]),
        '',
      ];
    }),
  ].join('\n');
}

export function currencyList(): string {
  return `Currencies: ${currencies.map((currency) => `\`${currency}\``).join(', ')}.`;
}

function duration(ms: number): string {
  if (ms === 0) return 'at once';
  const [value, unit] =
    ms < 60_000 ? [ms / 1000, 's'] : ms < 3_600_000 ? [ms / 60_000, 'min'] : [ms / 3_600_000, 'h'];
  return `${value} ${unit}`;
}

export function scheduleSentence(): string {
  const pauses = WEBHOOK_SCHEDULE_MS.map(duration);
  return [
    `Up to ${pauses.length} tries, each some time after the one before, give or take a tenth: ${pauses.join(', ')}. Then the delivery`,
    'is kept as failed.',
  ].join('\n');
}
