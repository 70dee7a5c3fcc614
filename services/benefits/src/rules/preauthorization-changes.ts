/** The changes of a pre-authorization after its creation: the new values, the fact, and whether its session is released. Pure. */
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

/** The values of a pre-authorization that changes set. Every change ends an approval in progress. */
export interface ChangedValues {
  readonly status: PreauthorizationStatus;
  readonly approvedAmount: number | null;
  readonly validUntil: Date | null;
  readonly decision: PreauthorizationDecision | null;
  readonly usedByClaimId: string | null;
}

/** Returns the values after a change. */
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
      // Until its release it can't expire or be cancelled.
      return { ...before, usedByClaimId: change.claimId };
    case 'released':
      return { ...before, usedByClaimId: null };
  }
}

/** Returns whether the change releases the session that the pre-authorization reserved. */
export function releasesSession({ type }: PreauthorizationChange): boolean {
  return type === 'expired' || type === 'cancelled';
}

/** Returns whether the fact has an event; a claim's use and release have none. */
export function hasEvent<Type extends PreauthorizationFactType>(
  type: Type,
): type is Exclude<Type, 'used' | 'released'> {
  return type !== 'used' && type !== 'released';
}
