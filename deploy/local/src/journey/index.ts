/**
 * The journey: an example that runs one claim from coverage to settlement through the API, and prints each step with status and duration.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Carecover,
  type Claim,
  type ClaimId,
  type ClaimValuation,
  type Event,
  type PreauthorizationId,
  type RemittanceId,
  type WebhookEndpointId,
} from '@carecover/client';
import { answerRequest, settleClaim, submitQueriedClaim, valueClaim } from './claim';
import {
  bookCoveredSession,
  checkEligibility,
  postCoverageBatch,
  preauthorize,
  verifyReservation,
} from './cover';
import { expect, Narrator } from './narrator';
import { type Receiver, startReceiver } from './receiver';

/** The addresses and credentials of a running stack that the journey uses. */
export interface JourneyStack {
  readonly base_url: string;
  /** Path of the PEM file of the certificate authority that signed the gateway's certificate. */
  readonly ca_certificate: string;
  readonly secret_key: string;
  readonly temporal_ui: string;
}

export interface JourneyOptions {
  readonly print: (line: string) => void;
  /** Verifies the ledger. The promise rejects if the ledger has a difference. */
  readonly verifyLedger: () => Promise<void>;
}

export interface JourneyOutcome {
  /** The claim that is settled. */
  readonly claimId: ClaimId;
  /** The claim that is left open: it waits for information, so that its workflow runs. */
  readonly openClaimId: ClaimId;
  readonly remittanceId: RemittanceId;
  /** The pre-authorizations of the two claims, and the one that expired. */
  readonly preauthorizationIds: readonly [PreauthorizationId, PreauthorizationId, PreauthorizationId];
  readonly valuation: ClaimValuation;
  readonly events: readonly Event[];
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const EXPIRES_AFTER_MS = 3_000;
const TIMEOUT_MS = 30_000;

/** Runs the journey. @throws Error if a step fails or a check is not satisfied */
export async function runJourney(stack: JourneyStack, options: JourneyOptions): Promise<JourneyOutcome> {
  const narrator = new Narrator(options.print);
  const startedAt = new Date(Date.now() - 1).toISOString();
  const trustingFetch = narrator.fetchTrusting(await readFile(stack.ca_certificate, 'utf8'));
  const client = new Carecover({
    baseUrl: stack.base_url,
    apiKey: stack.secret_key,
    fetch: trustingFetch.fetch,
  });
  const receiver = await startReceiver();
  let endpointId: WebhookEndpointId | null = null;
  try {
    narrator.chapter('A receiver is registered, coverage is recorded, a session is booked');
    const endpoint = await narrator.step('a webhook receiver is registered', () =>
      client.webhookEndpoints.create({ url: receiver.url, events: [...SUBSCRIBED] }),
    );
    endpointId = endpoint.id;
    const signing_secret =
      endpoint.signing_secret ?? (await client.webhookEndpoints.rotateSecret(endpoint.id)).signing_secret;
    receiver.trust(signing_secret);
    await postCoverageBatch(client, narrator);
    const booked = await bookCoveredSession(client, narrator);

    narrator.chapter('The payer pre-authorizes it');
    const preauthorization = await preauthorize(client, narrator, booked, () => inDays(30));
    await verifyReservation(client, narrator, booked);

    narrator.chapter('The session is delivered and claimed');
    const { submitted, queried } = await submitQueriedClaim(client, narrator, booked, preauthorization);
    await answerRequest(client, narrator, queried);

    narrator.chapter('The payer decides and pays');
    const { claim, remittance, cutoffs } = await settleClaim(client, narrator, submitted.id);

    narrator.chapter('The claim is valued at each cutoff');
    const valuation = await valueClaim(client, narrator, claim.id, [
      submitted.updated_at,
      queried.updated_at,
      ...cutoffs,
    ]);

    narrator.chapter('A second claim waits for information');
    const open = await leaveClaimOpen(client, narrator);

    narrator.chapter('A third pre-authorization expires');
    const expiring = await verifyExpiry(client, narrator);

    narrator.chapter('All events are delivered, and the ledger balances');
    const preauthorizationIds = [preauthorization.id, open.preauthorizationId, expiring] as const;
    const expected = expectedEvents([claim.id, open.claim.id], remittance.id, preauthorizationIds);
    const events = await verifyEvents(client, narrator, receiver, expected, startedAt);
    await narrator.step('the ledger sums to zero', options.verifyLedger);

    printTimeline(options.print, valuation);
    printWorkflows(options.print, open.claim, stack.temporal_ui);
    return {
      claimId: claim.id,
      openClaimId: open.claim.id,
      remittanceId: remittance.id,
      preauthorizationIds,
      valuation,
      events,
    };
  } finally {
    if (endpointId !== null) await client.webhookEndpoints.disable(endpointId);
    await receiver.close();
    await trustingFetch.close();
  }
}

const SUBSCRIBED = [
  'preauthorization.requested',
  'preauthorization.approved',
  'preauthorization.expired',
  'claim.submitted',
  'claim.information_requested',
  'claim.resubmitted',
  'claim.partially_approved',
  'claim.settled',
  'remittance.reconciled',
] as const satisfies readonly Event['type'][];

/** Returns the events that the journey causes, each as the text `type resourceId`. */
function expectedEvents(
  [settled, open]: readonly [ClaimId, ClaimId],
  remittanceId: RemittanceId,
  preauthorizationIds: JourneyOutcome['preauthorizationIds'],
): string[] {
  return [
    ...preauthorizationIds.flatMap((id) => [
      `preauthorization.requested ${id}`,
      `preauthorization.approved ${id}`,
    ]),
    ...[settled, open].flatMap((id) => [`claim.submitted ${id}`, `claim.information_requested ${id}`]),
    `claim.resubmitted ${settled}`,
    `claim.partially_approved ${settled}`,
    `remittance.reconciled ${remittanceId}`,
    `claim.settled ${settled}`,
    `preauthorization.expired ${preauthorizationIds[2]}`,
  ];
}

function eventKey(event: Event): string {
  return `${event.type} ${'id' in event.data ? event.data.id : ''}`;
}

/** Submits a second claim and requests information with a deadline. The claim stays open, so that its workflow runs in Temporal. */
async function leaveClaimOpen(
  client: Carecover,
  narrator: Narrator,
): Promise<{ readonly claim: Claim; readonly preauthorizationId: PreauthorizationId }> {
  const booked = await bookCoveredSession(client, narrator);
  const preauthorization = await preauthorize(client, narrator, booked, () => inDays(30));
  const dueAt = inDays(7).toISOString();
  const { queried } = await submitQueriedClaim(client, narrator, booked, preauthorization, dueAt);
  return { claim: queried, preauthorizationId: preauthorization.id };
}

/** Creates a pre-authorization that is approved for three seconds, and checks that it expires and that its session is released. */
async function verifyExpiry(client: Carecover, narrator: Narrator): Promise<PreauthorizationId> {
  const booked = await bookCoveredSession(client, narrator);
  const { id } = await preauthorize(client, narrator, booked, () => new Date(Date.now() + EXPIRES_AFTER_MS));
  await narrator.step('its timer expires it', async () => {
    const deadline = Date.now() + TIMEOUT_MS;
    while ((await client.preauthorizations.retrieve(id)).status !== 'expired') {
      expect(Date.now() < deadline, 'a pre-authorization that does not expire');
      await sleep(200);
    }
  });
  const after = await narrator.step('its reservation is released', () =>
    checkEligibility(client, booked.booking.starts_at),
  );
  expect(after.remaining_sessions === booked.check.remaining_sessions, 'a reservation that was not released');
  return id;
}

/** Checks that the receiver got every expected event with a valid signature, and that GET /events lists the same events. */
async function verifyEvents(
  client: Carecover,
  narrator: Narrator,
  receiver: Receiver,
  expected: readonly string[],
  startedAt: string,
): Promise<Event[]> {
  await narrator.step(
    `the receiver got all ${expected.length} events, every signature verified`,
    async () => {
      const complete = await receiver.waitUntil((events) => {
        const received = new Set(events.map(eventKey));
        return expected.every((name) => received.has(name));
      }, TIMEOUT_MS);
      const received = new Set([...receiver.events.values()].map(eventKey));
      expect(complete, `no event ${expected.filter((name) => !received.has(name)).join(', ')}`);
      expect(receiver.forged() === 0, 'an invalid signature');
    },
  );
  const listed = await narrator.step('GET /events lists the same', async () => {
    const events: Event[] = [];
    for await (const event of client.events.list({ created_after: startedAt, limit: 100 }))
      events.push(event);
    return events;
  });
  const names = new Set(listed.map(eventKey));
  expect(
    expected.every((name) => names.has(name)),
    'an event that the API does not list',
  );
  return listed.filter((event) => expected.includes(eventKey(event)));
}

function printTimeline(print: (line: string) => void, valuation: ClaimValuation): void {
  print(`\nThe claim ${valuation.claim_id}, from its facts (${valuation.currency}, minor units).`);
  print('The advice and the payment took effect at the decision, and were recorded afterwards.');
  print('   #  effective                 recorded                  fact                  status');
  for (const event of valuation.events) {
    const status = event.next_status === event.previous_status ? '' : `-> ${event.next_status}`;
    print(
      `  ${String(event.sequence).padStart(2)}  ${event.effective_at}  ${event.recorded_at}  ${event.type.padEnd(20)}  ${status}`,
    );
  }
}

/** The claims that wait for a decision, information or money, as a query of Temporal's UI. */
const OPEN_CLAIMS = 'WorkflowType = "claim" AND ExecutionStatus = "Running"';

/** Prints links to the workflows in Temporal's UI. A workflow runs while its claim waits, and starts some seconds after the claim's change. */
function printWorkflows(print: (line: string) => void, open: Claim, temporalUi: string): void {
  const workflows = `${temporalUi}/namespaces/default/workflows`;
  print(
    [
      '',
      `The claim ${open.id} waits for information. A workflow runs in Temporal while a claim waits for something:`,
      `  what it waits for, and its history   ${workflows}/${open.id}`,
      `  the list of all open claims          ${workflows}?query=${encodeURIComponent(OPEN_CLAIMS)}`,
      'Workflows start and show changes some seconds after them. The claim that was settled waits for nothing, so its workflow has ended.',
      '',
    ].join('\n'),
  );
}
