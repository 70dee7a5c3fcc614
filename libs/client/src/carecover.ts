/**
 * The client: one property per resource and one method per operation. The client generates an idempotency key per write and
 * uses it for all retries; pass your own to repeat a write after a restart. Amounts are integers in minor units.
 */
import { api, testHelpers, tokens } from './resources/access.ts';
import { bulkJobs } from './resources/bulk-jobs.ts';
import { bookings, practitioners, sessions } from './resources/care.ts';
import { claims, receivables, valuationRuns } from './resources/claims.ts';
import { consents, coverages, eligibilityChecks, preauthorizations } from './resources/cover.ts';
import { paymentAdvices, remittances, settlements } from './resources/payments.ts';
import { events, webhookEndpoints } from './resources/webhooks.ts';
import { type ClientOptions, Transport } from './transport.ts';

/**
 * A client of the Carecover API.
 *
 * @example
 * const carecover = new Carecover({ baseUrl: 'https://localhost:8443/v1', apiKey: 'sk_test_…' });
 * const claim = await carecover.claims.retrieve('clm_0199f2a4');
 */
export class Carecover {
  /** Calls operations by their IDs. Its method `raw` returns the status, the headers and the exact text of a response. */
  readonly transport: Transport;
  readonly api: ReturnType<typeof api>;
  readonly bookings: ReturnType<typeof bookings>;
  readonly bulkJobs: ReturnType<typeof bulkJobs>;
  readonly claims: ReturnType<typeof claims>;
  readonly consents: ReturnType<typeof consents>;
  readonly coverages: ReturnType<typeof coverages>;
  readonly eligibilityChecks: ReturnType<typeof eligibilityChecks>;
  readonly events: ReturnType<typeof events>;
  readonly practitioners: ReturnType<typeof practitioners>;
  readonly preauthorizations: ReturnType<typeof preauthorizations>;
  readonly receivables: ReturnType<typeof receivables>;
  readonly remittances: ReturnType<typeof remittances>;
  readonly sessions: ReturnType<typeof sessions>;
  readonly paymentAdvices: ReturnType<typeof paymentAdvices>;
  readonly settlements: ReturnType<typeof settlements>;
  readonly testHelpers: ReturnType<typeof testHelpers>;
  readonly tokens: ReturnType<typeof tokens>;
  readonly valuationRuns: ReturnType<typeof valuationRuns>;
  readonly webhookEndpoints: ReturnType<typeof webhookEndpoints>;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
    this.api = api(this.transport);
    this.bookings = bookings(this.transport);
    this.bulkJobs = bulkJobs(this.transport);
    this.claims = claims(this.transport);
    this.consents = consents(this.transport);
    this.coverages = coverages(this.transport);
    this.eligibilityChecks = eligibilityChecks(this.transport);
    this.events = events(this.transport);
    this.practitioners = practitioners(this.transport);
    this.preauthorizations = preauthorizations(this.transport);
    this.receivables = receivables(this.transport);
    this.remittances = remittances(this.transport);
    this.sessions = sessions(this.transport);
    this.paymentAdvices = paymentAdvices(this.transport);
    this.settlements = settlements(this.transport);
    this.testHelpers = testHelpers(this.transport);
    this.tokens = tokens(this.transport);
    this.valuationRuns = valuationRuns(this.transport);
    this.webhookEndpoints = webhookEndpoints(this.transport);
  }
}
