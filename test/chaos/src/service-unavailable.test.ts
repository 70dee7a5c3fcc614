/**
 * Tests the table in docs/architecture.md: which operations respond 503 while one service is unavailable, and that the repeated requests
 * succeed when the service is available again. The test runs only as a soak test, because each row of the table requires a wait for the
 * timeout of a command.
 */
import { type CallOptions, hasCode } from '@carecover/client';
import { testSize } from '@carecover/testing/servers';
import { retryUntilResponse, useWorld } from '@carecover/testing/stack';

type StoppedService = 'care' | 'benefits' | 'claims' | 'payments' | 'webhooks';
type Call = (options?: CallOptions) => Promise<unknown>;
interface Row {
  /** Calls that must get 503 while the service is unavailable, by the operation's name in the table of docs/architecture.md. */
  readonly unavailable: Readonly<Record<string, Call>>;
  /** Calls that must succeed while the service is unavailable, by the operation's name in the table of docs/architecture.md. */
  readonly available: Readonly<Record<string, Call>>;
}

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const REASON = { reason_code: 'entered_in_error' };

const running = useWorld();

const rows: Readonly<Record<StoppedService, () => Promise<Row>>> = {
  async care() {
    const { world } = running;
    const { client } = world;
    const [covered, toApprove, toDeny] = [
      await world.createCoveredBooking(),
      await world.createPendingPreauthorization(),
      await world.createPendingPreauthorization(),
    ];
    const claimable = await world.createClaimableSession();
    const claim = await world.createSubmittedClaim();
    const input = world.claimInput(claimable);
    const request = { eligibility_check_id: covered.check.id, booking_id: covered.bookingId };
    const approval = world.approvalInput();
    const { approved_amount: _amount, valid_until: _until, ...denial } = approval;
    return {
      unavailable: {
        'open a pre-authorization': (options) => client.preauthorizations.create(request, options),
        'approve one': (options) =>
          client.preauthorizations.decide(toApprove.preauthorization.id, approval, options),
        'submit a claim': (options) => client.claims.submit(input, options),
      },
      available: {
        'deny a pre-authorization': (options) =>
          client.preauthorizations.decide(
            toDeny.preauthorization.id,
            { ...denial, outcome: 'denied' },
            options,
          ),
        'adjudicate a claim': (options) =>
          client.claims.adjudicate(claim.id, world.adjudicationInput(), options),
      },
    };
  },
  async benefits() {
    const { world } = running;
    const { client } = world;
    const input = world.claimInput(await world.createClaimableSession());
    const [toCancel, toReverse] = [await world.createSubmittedClaim(), await world.createAdjudicatedClaim()];
    const { bookingId } = await world.createApprovedPreauthorization();
    return {
      unavailable: {
        'submit a claim': (options) => client.claims.submit(input, options),
      },
      available: {
        'cancel a claim': (options) => client.claims.cancel(toCancel.id, REASON, options),
        'reverse a claim': (options) => client.claims.reverse(toReverse.id, REASON, options),
        'cancel a booking': (options) => client.bookings.cancel(bookingId, REASON, options),
      },
    };
  },
  async claims() {
    const { world } = running;
    const { client } = world;
    const decided = await world.createAdjudicatedClaim();
    const [toSettle, toExceed, toUndo] = [
      await world.createRemittance(),
      await world.createRemittance(),
      await world.createSettlement(),
    ];
    const remittance = world.remittanceInput([{ claim_id: decided.id, paid_amount: 300_000 }]);
    const settlement = world.settlementInput(toSettle.id);
    const tooMuch = world.settlementInput(toExceed.id, 300_001);
    return {
      unavailable: {
        'record a remittance': (options) => client.remittances.create(remittance, options),
        'record a settlement': (options) => client.settlements.create(settlement, options),
        'reverse a settlement': (options) => client.settlements.reverse(toUndo.id, REASON, options),
      },
      available: {
        'record a settlement above the remittance': (options) => client.settlements.create(tooMuch, options),
      },
    };
  },
  async payments() {
    const { world } = running;
    const { client } = world;
    const input = world.claimInput(await world.createClaimableSession());
    const [toAdjudicate, toReverse, toCancel] = [
      await world.createSubmittedClaim(),
      await world.createAdjudicatedClaim(),
      await world.createSubmittedClaim(),
    ];
    return {
      unavailable: {
        'adjudicate a claim': (options) =>
          client.claims.adjudicate(toAdjudicate.id, world.adjudicationInput(), options),
        'reverse a claim': (options) => client.claims.reverse(toReverse.id, REASON, options),
      },
      available: {
        'submit a claim': (options) => client.claims.submit(input, options),
        'cancel a claim': (options) => client.claims.cancel(toCancel.id, REASON, options),
      },
    };
  },
  async webhooks() {
    const { world } = running;
    const { client } = world;
    const claim = await world.createSubmittedClaim();
    return {
      unavailable: {},
      available: {
        'adjudicate a claim': (options) =>
          client.claims.adjudicate(claim.id, world.adjudicationInput(), options),
      },
    };
  },
};

async function outcomeOf(call: Call, idempotencyKey: string): Promise<string> {
  try {
    await call({ idempotencyKey, maxRetries: 0 });
    return 'available';
  } catch (error) {
    if (hasCode(error, 'service_unavailable')) return 'unavailable';
    throw error;
  }
}

atFullSize.each(Object.entries(rows))(
  'without %s exactly the documented operations respond 503, and succeed when it is available again',
  async (stopped, prepare) => {
    const { unavailable, available } = await prepare();
    const calls = Object.entries({ ...unavailable, ...available }).map(([name, call]) => ({
      name,
      call,
      key: crypto.randomUUID(),
    }));
    const service = running.stack.part(stopped as StoppedService);
    await service.stop();
    const outcomes = await Promise.all(
      calls.map(async ({ name, call, key }) => [name, await outcomeOf(call, key)] as const),
    );
    await service.start();
    expect(Object.fromEntries(outcomes)).toEqual({
      ...Object.fromEntries(Object.keys(unavailable).map((name) => [name, 'unavailable'])),
      ...Object.fromEntries(Object.keys(available).map((name) => [name, 'available'])),
    });
    for (const { call, key } of calls) await retryUntilResponse(call, { idempotencyKey: key });
  },
  300_000,
);
