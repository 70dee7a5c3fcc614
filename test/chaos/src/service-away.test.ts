/**
 * The table of docs/architecture.md, row by row: with one service away, which operations of the others are 503 and which are
 * answered, and that each that was 503 ends in its effect when the service is back. At full size alone: each row waits until a
 * command is given up.
 */
import { type CallOptions, hasCode } from '@carecover/client';
import { testSize } from '@carecover/local/testing';
import { retryUntilResponse, useWorld } from '@carecover/test-support';

type Away = 'care' | 'benefits' | 'claims' | 'payments' | 'webhooks';
type Call = (options?: CallOptions) => Promise<unknown>;
interface Row {
  /** Named as the page has them. */
  readonly refused: Readonly<Record<string, Call>>;
  readonly answered: Readonly<Record<string, Call>>;
}

const atFullSize = testSize<jest.It>({ ci: test.skip, soak: test });
const REASON = { reason_code: 'entered_in_error' };

const running = useWorld();

const rows: Readonly<Record<Away, () => Promise<Row>>> = {
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
    const asked = { eligibility_check_id: covered.check.id, booking_id: covered.bookingId };
    const approval = world.approvalInput();
    const { approved_amount: _amount, valid_until: _until, ...denial } = approval;
    return {
      refused: {
        'open a pre-authorization': (options) => client.preauthorizations.create(asked, options),
        'approve one': (options) =>
          client.preauthorizations.decide(toApprove.preauthorization.id, approval, options),
        'submit a claim': (options) => client.claims.submit(input, options),
      },
      answered: {
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
      refused: {
        'submit a claim': (options) => client.claims.submit(input, options),
        'cancel a claim': (options) => client.claims.cancel(toCancel.id, REASON, options),
        'reverse a claim': (options) => client.claims.reverse(toReverse.id, REASON, options),
      },
      answered: {
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
    const advice = world.remittanceInput([{ claim_id: decided.id, paid_amount: 300_000 }]);
    const money = world.settlementInput(toSettle.id);
    const tooMuch = world.settlementInput(toExceed.id, 300_001);
    return {
      refused: {
        'advise a remittance': (options) => client.remittances.create(advice, options),
        'observe money': (options) => client.settlements.create(money, options),
        'reverse an observation': (options) => client.settlements.reverse(toUndo.id, REASON, options),
      },
      answered: { 'observe too much money': (options) => client.settlements.create(tooMuch, options) },
    };
  },
  async payments() {
    const { world } = running;
    const { client } = world;
    const input = world.claimInput(await world.createClaimableSession());
    const [toJudge, toReverse, toCancel] = [
      await world.createSubmittedClaim(),
      await world.createAdjudicatedClaim(),
      await world.createSubmittedClaim(),
    ];
    return {
      refused: {
        'adjudicate a claim': (options) =>
          client.claims.adjudicate(toJudge.id, world.adjudicationInput(), options),
        'reverse a claim': (options) => client.claims.reverse(toReverse.id, REASON, options),
      },
      answered: {
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
      refused: {},
      answered: {
        'adjudicate a claim': (options) =>
          client.claims.adjudicate(claim.id, world.adjudicationInput(), options),
      },
    };
  },
};

async function outcomeOf(call: Call, idempotencyKey: string): Promise<string> {
  try {
    await call({ idempotencyKey, maxRetries: 0 });
    return 'answered';
  } catch (error) {
    if (hasCode(error, 'service_unavailable')) return 'refused';
    throw error;
  }
}

atFullSize.each(Object.entries(rows))(
  'without %s some operations of the others are 503, and end when it is back',
  async (away, prepare) => {
    const { refused, answered } = await prepare();
    const calls = Object.entries({ ...refused, ...answered }).map(([name, call]) => ({
      name,
      call,
      key: crypto.randomUUID(),
    }));
    const service = running.stack.process(away as Away);
    await service.stop();
    const outcomes = await Promise.all(
      calls.map(async ({ name, call, key }) => [name, await outcomeOf(call, key)] as const),
    );
    await service.start();
    expect(Object.fromEntries(outcomes)).toEqual({
      ...Object.fromEntries(Object.keys(refused).map((name) => [name, 'refused'])),
      ...Object.fromEntries(Object.keys(answered).map((name) => [name, 'answered'])),
    });
    for (const { call, key } of calls) await retryUntilResponse(call, { idempotencyKey: key });
  },
  300_000,
);
