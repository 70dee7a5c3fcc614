/** The journey: one claim from coverage to settlement through the public API, each step told with its status and time. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Carecover, type ClaimValuation, type Event } from '@carecover/client';
import { settleClaim, submitClaim, valueClaim } from './claim';
import {
  bookCoveredSession,
  checkEligibility,
  postCoverageBatch,
  preauthorize,
  seeReservation,
} from './cover';
import { expect, Narrator } from './narrator';
import { type Receiver, startReceiver } from './receiver';

/** What the journey needs to know of a running stack. */
export interface JourneyStack {
  readonly base_url: string;
  /** Path of the certificate to trust. */
  readonly ca_certificate: string;
  readonly secret_key: string;
  readonly temporal_ui: string;
}

export interface JourneyOptions {
  readonly print: (line: string) => void;
  /** Recomputes the ledger; rejects where it does not balance. */
  readonly verifyLedger: () => Promise<void>;
}

export interface JourneyOutcome {
  readonly claimId: string;
  readonly remittanceId: string;
  readonly preauthorizationIds: readonly [string, string];
  readonly valuation: ClaimValuation;
  readonly events: readonly Event[];
}

const DAY_MS = 86_400_000;
const EXPIRES_AFTER_MS = 3_000;
const PATIENCE_MS = 30_000;

/** Walks the whole way. @throws where a step fails or something is not as it must be */
export async function runJourney(stack: JourneyStack, options: JourneyOptions): Promise<JourneyOutcome> {
  const narrator = new Narrator(options.print);
  const startedAt = new Date(Date.now() - 1).toISOString();
  const trusting = narrator.fetchTrusting(await readFile(stack.ca_certificate, 'utf8'));
  const client = new Carecover({ baseUrl: stack.base_url, apiKey: stack.secret_key, fetch: trusting.fetch });
  const receiver = await startReceiver();
  let endpointId: string | null = null;
  try {
    narrator.chapter('A receiver listens, coverage arrives, a session is booked');
    const endpoint = await narrator.step('a webhook receiver is registered', () =>
      client.webhookEndpoints.create({ url: receiver.url, events: [...SUBSCRIBED] }),
    );
    endpointId = endpoint.id;
    const { signing_secret } =
      'signing_secret' in endpoint ? endpoint : await client.webhookEndpoints.rotateSecret(endpoint.id);
    receiver.trust(signing_secret);
    await postCoverageBatch(client, narrator);
    const booked = await bookCoveredSession(client, narrator);

    narrator.chapter('The payer pre-authorizes it');
    const preauthorization = await preauthorize(
      client,
      narrator,
      booked,
      () => new Date(Date.now() + 30 * DAY_MS),
    );
    await seeReservation(client, narrator, booked);

    narrator.chapter('The session is delivered and claimed');
    const submission = await submitClaim(client, narrator, booked, preauthorization);

    narrator.chapter('The payer decides and pays');
    const { claim, remittance, cutoffs } = await settleClaim(client, narrator, submission.claim.id);

    narrator.chapter('The claim as it was known along the way');
    const valuation = await valueClaim(client, narrator, claim.id, [...submission.cutoffs, ...cutoffs]);

    narrator.chapter('A second pre-authorization is left to expire');
    const expiring = await letExpire(client, narrator);

    narrator.chapter('Everything was told, and the books balance');
    const expected = expectedEvents(claim.id, remittance.id, [preauthorization.id, expiring]);
    const events = await seeEvents(client, narrator, receiver, expected, startedAt);
    await narrator.step('the ledger sums to zero', options.verifyLedger);

    printTimeline(options.print, valuation, `${stack.temporal_ui}/namespaces/default/workflows/${claim.id}`);
    return {
      claimId: claim.id,
      remittanceId: remittance.id,
      preauthorizationIds: [preauthorization.id, expiring],
      valuation,
      events,
    };
  } finally {
    if (endpointId !== null) await client.webhookEndpoints.disable(endpointId);
    await receiver.close();
    await trusting.close();
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

/** What this journey must have caused, as `type resource`. */
function expectedEvents(
  claimId: string,
  remittanceId: string,
  [used, expired]: readonly [string, string],
): string[] {
  return [
    `preauthorization.requested ${used}`,
    `preauthorization.approved ${used}`,
    `claim.submitted ${claimId}`,
    `claim.information_requested ${claimId}`,
    `claim.resubmitted ${claimId}`,
    `claim.partially_approved ${claimId}`,
    `remittance.reconciled ${remittanceId}`,
    `claim.settled ${claimId}`,
    `preauthorization.requested ${expired}`,
    `preauthorization.approved ${expired}`,
    `preauthorization.expired ${expired}`,
  ];
}

function named(event: Event): string {
  return `${event.type} ${'id' in event.data ? event.data.id : ''}`;
}

/** Approves a pre-authorization for three seconds and sees its timer end it and give the session back. */
async function letExpire(client: Carecover, narrator: Narrator): Promise<string> {
  const booked = await bookCoveredSession(client, narrator);
  const { id } = await preauthorize(client, narrator, booked, () => new Date(Date.now() + EXPIRES_AFTER_MS));
  await narrator.step('its timer expires it', async () => {
    const deadline = Date.now() + PATIENCE_MS;
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

/** Sees that the receiver got every event, each genuine, and that the API lists the same. */
async function seeEvents(
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
        const got = new Set(events.map(named));
        return expected.every((name) => got.has(name));
      }, PATIENCE_MS);
      const got = new Set([...receiver.events.values()].map(named));
      expect(complete, `no event ${expected.filter((name) => !got.has(name)).join(', ')}`);
      expect(receiver.forged() === 0, 'a signature that does not fit');
    },
  );
  const listed = await narrator.step('GET /events lists the same', async () => {
    const events: Event[] = [];
    for await (const event of client.events.list({ created_after: startedAt, limit: 100 }))
      events.push(event);
    return events;
  });
  const names = new Set(listed.map(named));
  expect(
    expected.every((name) => names.has(name)),
    'an event that the API does not list',
  );
  return listed.filter((event) => expected.includes(named(event)));
}

function printTimeline(print: (line: string) => void, valuation: ClaimValuation, address: string): void {
  print(`\nThe claim ${valuation.claim_id}, as the books tell it (${valuation.currency}, minor units)`);
  print('   #  effective                 recorded                  event                 status');
  for (const event of valuation.events) {
    const status = event.next_status === event.previous_status ? '' : `-> ${event.next_status}`;
    print(
      `  ${String(event.sequence).padStart(2)}  ${event.effective_at}  ${event.recorded_at}  ${event.type.padEnd(20)}  ${status}`,
    );
  }
  print(`\nIts workflow, with the whole story: ${address}\n`);
}
