/** Search: a resource by its ID, or a claim, remittance or settlement by its reference. */
import { type IdentifierKind, isIdentifier } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import { type Page, type PageRequest, projectPath } from '../page';
import { Id, Status } from '../parts';

const SHOWN = 5;
const MIN_REFERENCE = 3;
const MAX_REFERENCE = 200;

interface Found {
  readonly id: string;
  readonly status: string;
  /** The ID of another resource whose page shows this resource, such as the remittance of a settlement. */
  readonly on?: string;
}

type Read = (request: PageRequest, id: string) => Promise<Found>;

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
  webhookEndpoint: ({ calls, project }, webhook_endpoint_id) =>
    calls.execute(project, 'getWebhookEndpoint', { params: { webhook_endpoint_id } }),
  event: async ({ calls, project }, event_id) => {
    const { id, type, data } = await calls.execute(project, 'getEvent', { params: { event_id } });
    return { id, status: type, on: String((data as { readonly id?: unknown }).id ?? '') };
  },
};

/** Finds the resource with this ID in the project. */
async function findById(request: PageRequest, text: string): Promise<Found[]> {
  const [, read] = Object.entries(READERS).find(([kind]) => isIdentifier(kind as IdentifierKind, text)) ?? [];
  if (read === undefined) return [];
  try {
    return [await read(request, text)];
  } catch (error) {
    if (error instanceof ApiError && error.code === 'resource_not_found') return [];
    throw error;
  }
}

async function findByReference({ calls, project }: PageRequest, text: string): Promise<Found[]> {
  if (text.length < MIN_REFERENCE || text.length > MAX_REFERENCE) return [];
  const [claims, remittances, settlements] = await Promise.all([
    calls.execute(project, 'listClaims', { query: { limit: SHOWN, provider_claim_reference: text } }),
    calls.execute(project, 'listRemittances', { query: { limit: SHOWN, payer_reference: text } }),
    calls.execute(project, 'listSettlements', { query: { limit: SHOWN, source_reference: text } }),
  ]);
  return [
    ...claims.data,
    ...remittances.data,
    ...settlements.data.map((settlement) => ({ ...settlement, on: settlement.remittance_id })),
  ];
}

export const search: Page = {
  path: '/search',
  menu: 'Search',
  permission: 'read',
  async render(request) {
    const { project, query } = request;
    const text = (query.get('q') ?? '').trim();
    const found = (await Promise.all([findById(request, text), findByReference(request, text)])).flat();
    return {
      title: 'Search',
      body: (
        <>
          <form class="filter" method="get" action={projectPath(project, '/search')}>
            <label for="q">Whole ID or reference</label>
            <input id="q" name="q" type="search" size={40} value={text} />
            <button type="submit">Search</button>
          </form>
          <p class="hint">
            The ID of a claim, pre-authorization, remittance, settlement, eligibility check, booking, session,
            valuation run, webhook endpoint or event; the provider’s reference of a claim, the payer’s of a
            remittance, or the bank’s of a settlement. Members are not found.
          </p>
          {text !== '' && found.length === 0 && (
            <p class="none">Nothing in this project has exactly this ID or reference.</p>
          )}
          <ul>
            {found.map(({ id, status, on }) => (
              <li key={id}>
                <Id project={project} id={id} /> <Status value={status} />
                {on !== undefined && on !== '' && (
                  <>
                    , on the page of <Id project={project} id={on} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      ),
    };
  },
};
