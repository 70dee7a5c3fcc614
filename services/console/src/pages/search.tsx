/**
 * Search, from the head of every page: a resource by its whole ID; a claim, remittance, settlement or row of a bank's file by the beginning of
 * its reference or by its amount; a practitioner or a payer by a word of the name. Case, spaces and marks do not matter.
 *
 * Failure policy: while a service is unavailable, the page says so and shows what the other services have found.
 */
import {
  currencies,
  decimalMarkOf,
  type IdentifierKind,
  isIdentifier,
  readAmount,
} from '@carecover/contract';
import { ifAvailable, ifFound } from '../operations';
import { type Page, type PageRequest, projectPath } from '../page';
import { Amount, Day, Id, Status, Table } from '../parts';

interface FoundById {
  readonly id: string;
  readonly status: string;
  /** The ID of another resource whose page shows this resource, such as the remittance of a settlement. */
  readonly on?: string;
}

type Read = (request: PageRequest, id: string) => Promise<FoundById>;

/** The kinds of resources that can be found by ID. */
const READERS: Partial<Record<IdentifierKind, Read>> = {
  claim: ({ calls, project }, claim_id) => calls.execute(project, 'getClaim', { params: { claim_id } }),
  remittance: ({ calls, project }, remittance_id) =>
    calls.execute(project, 'getRemittance', { params: { remittance_id } }),
  settlement: async ({ calls, project }, settlement_id) => {
    const found = await calls.execute(project, 'getSettlement', { params: { settlement_id } });
    return { ...found, on: found.remittance_id };
  },
  preauthorization: ({ calls, project }, preauthorization_id) =>
    calls.execute(project, 'getPreauthorization', { params: { preauthorization_id } }),
  eligibilityCheck: ({ calls, project }, eligibility_check_id) =>
    calls.execute(project, 'getEligibilityCheck', { params: { eligibility_check_id } }),
  booking: ({ calls, project }, booking_id) =>
    calls.execute(project, 'getBooking', { params: { booking_id } }),
  session: ({ calls, project }, session_id) =>
    calls.execute(project, 'getSession', { params: { session_id } }),
  valuationRun: ({ calls, project }, valuation_run_id) =>
    calls.execute(project, 'getValuationRun', { params: { valuation_run_id } }),
  bulkJob: ({ calls, project }, bulk_job_id) =>
    calls.execute(project, 'getBulkJob', { params: { bulk_job_id } }),
  webhookEndpoint: ({ calls, project }, webhook_endpoint_id) =>
    calls.execute(project, 'getWebhookEndpoint', { params: { webhook_endpoint_id } }),
  event: async ({ calls, project }, event_id) => {
    const { id, type, data } = await calls.execute(project, 'getEvent', { params: { event_id } });
    return { id, status: type, on: String((data as { readonly id?: unknown }).id ?? '') };
  },
};

/** Finds the resource with this ID in the project. Returns null while the service that has it is unavailable. */
async function findById(request: PageRequest, text: string): Promise<FoundById[] | null> {
  const [, read] = Object.entries(READERS).find(([kind]) => isIdentifier(kind as IdentifierKind, text)) ?? [];
  if (read === undefined) return [];
  return ifAvailable(ifFound(read(request, text)).then((found) => (found === null ? [] : [found])));
}

/** A claim, remittance, settlement or unmatched row, as the services find it. The amount is in minor units. */
interface FoundMoney {
  readonly kind: 'claim' | 'remittance' | 'settlement' | 'row';
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: number;
  readonly at: string;
  readonly remittance_id: string | null;
}

/** A practitioner or a payer. */
interface FoundParty {
  readonly id: string;
  readonly name: string;
  readonly profession?: string;
}

const KINDS: Readonly<Record<FoundMoney['kind'], string>> = {
  claim: 'Claim',
  remittance: 'Remittance',
  settlement: 'Settlement',
  row: 'Bank’s row',
};

const MAX_TEXT = 200;

/** Returns the amounts in minor units that the text can be, in any currency of the API. */
function amountsOf(text: string, locale: string): number[] {
  const read = currencies.map((currency) => readAmount(text, currency, decimalMarkOf(locale)));
  return [...new Set(read.flatMap((each) => (each.ok && each.amount > 0 ? [each.amount] : [])))];
}

async function find(request: PageRequest, text: string) {
  const { calls, project } = request;
  const body = { text, amounts: amountsOf(text, project.locale) };
  const ask = <T,>(service: 'claims' | 'payments' | 'care' | 'benefits') =>
    ifAvailable(calls.service<{ readonly data: readonly T[] }>(service, project, '/search', body));
  const [byId, claims, funds, practitioners, payers] = await Promise.all([
    findById(request, text),
    ask<Omit<FoundMoney, 'kind' | 'remittance_id'>>('claims'),
    ask<FoundMoney>('payments'),
    ask<FoundParty>('care'),
    ask<FoundParty>('benefits'),
  ]);
  const money: FoundMoney[] = [
    ...(claims?.data ?? []).map((each) => ({ ...each, kind: 'claim' as const, remittance_id: null })),
    ...(funds?.data ?? []),
  ];
  return {
    byId: byId ?? [],
    money,
    practitioners: practitioners?.data ?? [],
    payers: payers?.data ?? [],
    isComplete: ![byId, claims, funds, practitioners, payers].includes(null),
  };
}

/** Returns the path of the page that shows what was found. */
function pathOf({ kind, id, remittance_id }: FoundMoney): string {
  if (kind === 'claim') return `/claims/${id}`;
  return kind === 'row' ? `/unmatched-rows/${id}` : `/remittances/${remittance_id ?? id}`;
}

function Results({ request, found }: { request: PageRequest; found: Awaited<ReturnType<typeof find>> }) {
  const { project } = request;
  const { byId, money, practitioners, payers } = found;
  return (
    <>
      {byId.length > 0 && (
        <ul>
          {byId.map(({ id, status, on }) => (
            <li key={id}>
              <Id project={project} id={id} isWhole /> <Status value={status} />
              {on !== undefined && on !== '' && (
                <>
                  , on the page of <Id project={project} id={on} isWhole />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {money.length > 0 && (
        <Table
          name="found"
          caption="Claims and funds, newest first; at most 10 of each kind"
          columns={[
            {
              label: 'Name',
              cell: (each) => <a href={projectPath(project, pathOf(each))}>{each.name}</a>,
            },
            { label: 'Kind', cell: ({ kind }) => KINDS[kind] },
            { label: 'Status', cell: ({ status }) => <Status value={status} /> },
            {
              label: 'Amount',
              isNumber: true,
              cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
            },
            { label: 'Day', cell: ({ at }) => <Day at={at} /> },
          ]}
          rows={money}
        />
      )}
      {practitioners.length > 0 && (
        <>
          <h2>Practitioners</h2>
          <ul>
            {practitioners.map(({ id, name, profession }) => (
              <li key={id}>
                <a href={projectPath(project, `/claims?practitioner=${id}`)}>{name}</a>, {profession}
              </li>
            ))}
          </ul>
        </>
      )}
      {payers.length > 0 && (
        <>
          <h2>Payers</h2>
          <ul>
            {payers.map(({ id, name }) => (
              <li key={id}>
                <a href={projectPath(project, '/receivables')}>{name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export const search: Page = {
  path: '/search',
  permission: 'read',
  async render(request) {
    // PostgreSQL stores no U+0000, so no name or reference has it.
    const text = (request.query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, MAX_TEXT).toWellFormed();
    if (text === '')
      return {
        title: 'Search',
        body: (
          <p class="none">
            Type in the field at the top: the beginning of an invoice or a reference, a practitioner, a payer,
            an amount, or a whole ID.
          </p>
        ),
      };
    const found = await find(request, text);
    const { byId, money, practitioners, payers, isComplete } = found;
    const count = byId.length + money.length + practitioners.length + payers.length;
    return {
      title: `Search for ${text}`,
      body: (
        <>
          <p role="status">
            {count === 0
              ? 'Nothing in this project begins with this text, or has this amount or ID. Members are not found.'
              : `${count} found.`}
            {!isComplete && ' A service is not available now, so something can be missing.'}
          </p>
          <Results request={request} found={found} />
        </>
      ),
    };
  },
};
