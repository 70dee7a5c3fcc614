/**
 * The client's surface: a group for each area, a method for each operation. A write gets an idempotency key of its own that it
 * keeps over the client's retries; give one to repeat a write of an earlier run. Amounts are integers in minor units.
 */
import { api, testHelpers, tokens } from './resources/access.ts';
import { bookings, practitioners, sessions } from './resources/care.ts';
import { claims } from './resources/claims.ts';
import { consents, coverages, eligibilityChecks, preauthorizations } from './resources/cover.ts';
import { remittances, settlements } from './resources/payments.ts';
import { events, webhookEndpoints } from './resources/webhooks.ts';
import { type ClientOptions, Transport } from './transport.ts';

export class Carecover {
  /** Calls an operation by its id; what the groups are made of, and the way to an answer's exact text and headers. */
  readonly transport: Transport;
  readonly api: ReturnType<typeof api>;
  readonly bookings: ReturnType<typeof bookings>;
  readonly claims: ReturnType<typeof claims>;
  readonly consents: ReturnType<typeof consents>;
  readonly coverages: ReturnType<typeof coverages>;
  readonly eligibilityChecks: ReturnType<typeof eligibilityChecks>;
  readonly events: ReturnType<typeof events>;
  readonly practitioners: ReturnType<typeof practitioners>;
  readonly preauthorizations: ReturnType<typeof preauthorizations>;
  readonly remittances: ReturnType<typeof remittances>;
  readonly sessions: ReturnType<typeof sessions>;
  readonly settlements: ReturnType<typeof settlements>;
  readonly testHelpers: ReturnType<typeof testHelpers>;
  readonly tokens: ReturnType<typeof tokens>;
  readonly webhookEndpoints: ReturnType<typeof webhookEndpoints>;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
    this.api = api(this.transport);
    this.bookings = bookings(this.transport);
    this.claims = claims(this.transport);
    this.consents = consents(this.transport);
    this.coverages = coverages(this.transport);
    this.eligibilityChecks = eligibilityChecks(this.transport);
    this.events = events(this.transport);
    this.practitioners = practitioners(this.transport);
    this.preauthorizations = preauthorizations(this.transport);
    this.remittances = remittances(this.transport);
    this.sessions = sessions(this.transport);
    this.settlements = settlements(this.transport);
    this.testHelpers = testHelpers(this.transport);
    this.tokens = tokens(this.transport);
    this.webhookEndpoints = webhookEndpoints(this.transport);
  }
}
