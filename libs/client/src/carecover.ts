/**
 * The client: one property per resource and one method per operation. The client generates an idempotency key per write and
 * uses it for all retries; pass your own to repeat a write after a restart. Amounts are integers in minor units.
 */

import { explainGuesses } from './guesses.ts';
import {
  type ApiMethods,
  api,
  type TestHelpersMethods,
  type TokensMethods,
  testHelpers,
  tokens,
} from './resources/access.ts';
import { type BulkJobsMethods, bulkJobs } from './resources/bulk-jobs.ts';
import {
  type BookingsMethods,
  bookings,
  type PractitionersMethods,
  practitioners,
  type SessionsMethods,
  sessions,
} from './resources/care.ts';
import {
  type ClaimsMethods,
  claims,
  type ReceivablesMethods,
  receivables,
  type ValuationRunsMethods,
  valuationRuns,
} from './resources/claims.ts';
import {
  type ConsentsMethods,
  type CoveragesMethods,
  consents,
  coverages,
  type EligibilityChecksMethods,
  eligibilityChecks,
  type PreauthorizationsMethods,
  preauthorizations,
} from './resources/cover.ts';
import {
  type PaymentAdvicesMethods,
  paymentAdvices,
  type RemittancesMethods,
  remittances,
  type SettlementsMethods,
  settlements,
} from './resources/payments.ts';
import {
  type TestClockMethods,
  type TestClocksMethods,
  testClock,
  testClocks,
} from './resources/test-clocks.ts';
import {
  type EventsMethods,
  events,
  type WebhookEndpointsMethods,
  webhookEndpoints,
} from './resources/webhooks.ts';
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
  readonly api: ApiMethods;
  readonly bookings: BookingsMethods;
  readonly bulkJobs: BulkJobsMethods;
  readonly claims: ClaimsMethods;
  readonly consents: ConsentsMethods;
  readonly coverages: CoveragesMethods;
  readonly eligibilityChecks: EligibilityChecksMethods;
  readonly events: EventsMethods;
  readonly paymentAdvices: PaymentAdvicesMethods;
  readonly practitioners: PractitionersMethods;
  readonly preauthorizations: PreauthorizationsMethods;
  readonly receivables: ReceivablesMethods;
  readonly remittances: RemittancesMethods;
  readonly sessions: SessionsMethods;
  readonly settlements: SettlementsMethods;
  readonly testClock: TestClockMethods;
  readonly testClocks: TestClocksMethods;
  readonly testHelpers: TestHelpersMethods;
  readonly tokens: TokensMethods;
  readonly valuationRuns: ValuationRunsMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;

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
    this.testClock = testClock(this.transport);
    this.testClocks = testClocks(this.transport);
    this.testHelpers = testHelpers(this.transport);
    this.tokens = tokens(this.transport);
    this.valuationRuns = valuationRuns(this.transport);
    this.webhookEndpoints = webhookEndpoints(this.transport);
    const { transport: _transport, ...groups }: Carecover = this;
    explainGuesses(this, groups);
  }
}
