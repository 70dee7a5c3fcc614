/**
 * The changes of a pre-authorization after its creation: the values and the fact of each, and whether the change releases the reserved
 * session. Pure functions.
 */
import type { PreauthorizationDecision, PreauthorizationStatus } from '@carecover/contract';

export type PreauthorizationChange =
  | {
      readonly type: 'approved';
      readonly decision: PreauthorizationDecision;
      readonly approvedAmount: number;
      readonly validUntil: Date;
    }
  | { readonly type: 'denied'; readonly decision: PreauthorizationDecision }
  | { readonly type: 'expired' }
  | { readonly type: 'cancelled'; readonly reasonCode: string }
  | { readonly type: 'used'; readonly claimId: string }
  | { readonly type: 'released'; readonly claimId: string };

export type PreauthorizationFactType = 'requested' | PreauthorizationChange['type'];

/** The values of a pre-authorization that its changes set. */
export interface ChangedValues {
  readonly status: PreauthorizationStatus;
  readonly approvedAmount: number | null;
  readonly validUntil: Date | null;
  readonly decision: PreauthorizationDecision | null;
  readonly usedByClaimId: string | null;
}

/** Returns the values of a pre-authorization after a change. */
export function afterChange(before: ChangedValues, change: PreauthorizationChange): ChangedValues {
  switch (change.type) {
    case 'approved': {
      const { type: status, ...terms } = change;
      return { ...before, ...terms, status };
    }
    case 'denied':
      return { ...before, status: 'denied', decision: change.decision };
    case 'expired':
    case 'cancelled':
      return { ...before, status: change.type };
    case 'used':
      // Until the claim releases it, the pre-authorization can't expire or be cancelled.
      return { ...before, usedByClaimId: change.claimId };
    case 'released':
      return { ...before, usedByClaimId: null };
  }
}

/** Returns whether a change releases the session that the pre-authorization reserves. */
export function releasesSession({ type }: PreauthorizationChange): boolean {
  return type === 'expired' || type === 'cancelled';
}

/**
 * Returns whether an event is published for a fact: for every fact except a claim's use of the pre-authorization and the release of this
 * use.
 */
export function hasEvent<Type extends PreauthorizationFactType>(
  type: Type,
): type is Exclude<Type, 'used' | 'released'> {
  return type !== 'used' && type !== 'released';
}
