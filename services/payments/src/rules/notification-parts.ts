/**
 * Divides a notification about many claims: claims records each part in one transaction, so that no transaction and no message grows with the
 * number of lines of an advice. Claims recognizes a repetition per claim, so a part can be repeated alone. Pure functions.
 */
import type { Notification } from '@carecover/workflow-remittance';

/** Maximum number of claims of one part. */
const CLAIMS_OF_PART = 1_000;

/** Returns the parts of a notification, in the order of their claims; a notification about few claims is its only part. */
export function partsOf(notification: Notification): Notification[] {
  switch (notification.kind) {
    case 'remittance_recovered':
      return [notification];
    case 'remittance': {
      const { input } = notification;
      return sets(input.allocations.map(({ claimId }) => claimId)).map((claims) => ({
        ...notification,
        input: { ...input, allocations: input.allocations.filter(isOf(claims)) },
      }));
    }
    case 'withdrawal': {
      const { input } = notification;
      return sets([...input.allocations, ...input.recoveries].map(({ claimId }) => claimId)).map(
        (claims) => ({
          ...notification,
          input: {
            ...input,
            allocations: input.allocations.filter(isOf(claims)),
            recoveries: input.recoveries.filter(isOf(claims)),
          },
        }),
      );
    }
    case 'settlement': {
      const { input } = notification;
      const { amounts, reconciled } = input;
      return sets([...amounts.map(({ claimId }) => claimId), ...(reconciled?.claimIds ?? [])]).map(
        (claims) => ({
          ...notification,
          input: {
            ...input,
            amounts: amounts.filter(isOf(claims)),
            reconciled: reconciled && {
              ...reconciled,
              claimIds: reconciled.claimIds.filter((claimId) => claims.has(claimId)),
            },
          },
        }),
      );
    }
  }
}

function isOf(claims: ReadonlySet<string>) {
  return ({ claimId }: { readonly claimId: string }) => claims.has(claimId);
}

/** Returns the claims, each once, in sets of at most {@link CLAIMS_OF_PART}; one set if there are few or none. */
function sets(claimIds: readonly string[]): ReadonlySet<string>[] {
  const claims = [...new Set(claimIds)];
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(claims.length / CLAIMS_OF_PART)) },
    (_, index) => index * CLAIMS_OF_PART,
  );
  return starts.map((start) => new Set(claims.slice(start, start + CLAIMS_OF_PART)));
}
