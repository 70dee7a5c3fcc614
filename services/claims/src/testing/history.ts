/** Sequences of a claim's facts that tests write commit by commit, without a database. */
import type { AdjudicationDecision } from '@carecover/contract';
import type { Fact } from '../rules/facts';
import {
  type Change,
  type ClaimState,
  INITIAL_STATE,
  record,
  recordingTime,
  settlementTransition,
} from '../rules/recording';
import { recoveryChange, settlementChanges, withdrawalChanges } from '../rules/remittance';
import { transitionOfDecision } from '../rules/transitions';

/** Returns a change that fits the claim's current state and facts. {@link History} sets the cause of a change without one. */
export type Event = (state: ClaimState, facts: readonly Fact[]) => Change;

const BY = { cause: '', authority: 'key_1' };
const BILLED = 150;

export class History {
  readonly facts: Fact[] = [];
  state: ClaimState = INITIAL_STATE;
  private commits = 0;

  /** Records the changes of one commit. @param now the clock's time in epoch milliseconds */
  commit(now: number, ...events: readonly Event[]): this {
    this.commits += 1;
    const changes = events.map((event) => {
      const change = event(this.state, this.facts);
      return change.cause === '' ? { ...change, cause: `cmd_${this.commits}` } : change;
    });
    const at = recordingTime(
      now,
      [this.state],
      changes.map((change) => change.effectiveAt),
    );
    const { facts, state } = record(this.state, changes, at);
    this.facts.push(...facts);
    this.state = state;
    return this;
  }
}

/** The changes of a claim's first commit; {@link BILLED} minor units are billed. */
export const creation: readonly Event[] = [
  () => ({ transition: 'create', detail: { currency: 'KES', billed: BILLED }, ...BY }),
  () => ({ transition: 'validate', ...BY }),
  () => ({ transition: 'submit', evidenceReferences: ['note:17'], ...BY }),
];

export function query(): Event {
  return () => ({ transition: 'query', reasonCode: 'referral_missing', ...BY });
}

export function lapse(dueAt: number): Event {
  return () => ({ transition: 'lapse', effectiveAt: dueAt, reasonCode: 'information_request_lapsed', ...BY });
}

export function evidence(): readonly Event[] {
  return [
    () => ({ transition: 'add_evidence', evidenceReferences: ['referral:8812', 'letter:1'], ...BY }),
    () => ({ transition: 'resubmit', ...BY }),
  ];
}

export function decide(payer: number, decidedAt: number): Event {
  const decision: AdjudicationDecision =
    payer === 0 ? 'denied' : payer === BILLED ? 'approved' : 'partially_approved';
  return (state) => ({
    transition: transitionOfDecision[decision],
    effectiveAt: decidedAt,
    reasonCode: 'fee_schedule',
    evidenceReferences: ['schedule:2026'],
    detail: {
      adjudication_id: `adj_${state.adjudicationVersion + 1}`,
      version: state.adjudicationVersion + 1,
      payer,
      patient_responsibility: Math.floor((BILLED - payer) / 3),
      adjustment: BILLED - payer - Math.floor((BILLED - payer) / 3),
      policy: { reference: 'policy:outpatient', version: '2026.1' },
    },
    ...BY,
  });
}

export function remit(amount: number, receivedAt: number): Event {
  return () => ({
    transition: 'record_remittance',
    effectiveAt: receivedAt,
    reasonCode: 'fee_schedule',
    evidenceReferences: ['rem_1'],
    detail: { amount },
    ...BY,
  });
}

/** Returns the recovery `id` of an advice that the payer sent at `receivedAt`. */
export function recover(amount: number, receivedAt: number, id = 'rcv_1'): Event {
  return (_state, facts) =>
    recoveryChange(
      {
        tenant: 'prj_1',
        claimId: 'clm_1',
        recoveryId: id,
        adviceId: 'adv_1',
        amount,
        currency: 'KES',
        effectiveAt: new Date(receivedAt).toISOString(),
        reasonCodes: ['overpayment', 'duplicate_claim'],
        after: null,
      },
      facts,
    );
}

/** Returns the change by the withdrawal of an advice that allocated, or took back, the amount. */
export function withdraw(line: 'allocation' | 'recovery', amount: number): Event {
  return (state) => {
    const [change] = withdrawalChanges(
      {
        ...{ tenant: 'prj_1', causeId: 'rem_3:withdrawal', remittanceId: 'rem_3', adviceId: 'adv_3' },
        reasonCode: 'sent_in_error',
        allocations: line === 'allocation' ? [{ claimId: 'clm_1', amount, after: null }] : [],
        recoveries:
          line === 'recovery' ? [{ claimId: 'clm_1', recoveryId: 'rcv_1', amount, after: null }] : [],
      },
      'clm_1',
      state,
    );
    if (change === undefined) throw new Error('the withdrawal changes the claim');
    return change;
  };
}

/** Returns the change by the settlement `id`, which settles a recovery of `amount`. */
export function settleRecovery(amount: number, observedAt: number, id = 'stl_2'): Event {
  return (state, facts) => {
    const settlement = {
      tenant: 'prj_1',
      remittanceId: 'rem_2',
      causeId: id,
      settlementId: id,
      observedAt: new Date(observedAt).toISOString(),
      amounts: [{ claimId: 'clm_1', amount: -amount, after: null }],
      reconciled: null,
    };
    const [change] = settlementChanges(settlement, 'clm_1', state, facts);
    if (change === undefined) throw new Error('a settlement of a claim changes the claim');
    return change;
  };
}

/** Returns a settlement; a negative amount is the reversal of a settlement. */
export function settle(amount: number, observedAt: number): Event {
  return (state) => ({
    transition: settlementTransition(state, amount),
    effectiveAt: observedAt,
    evidenceReferences: ['stl_1'],
    detail: { amount },
    ...BY,
  });
}

export function reconcile(at: number): Event {
  return () => ({ transition: 'reconcile', effectiveAt: at, evidenceReferences: ['rem_1'], ...BY });
}

export function end(transition: 'reverse' | 'cancel'): Event {
  return () => ({ transition, reasonCode: 'recorded_in_error', ...BY });
}
