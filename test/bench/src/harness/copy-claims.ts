/** Copies the rows of an adjudicated claim, because remittances need more claims than the API can create in reasonable time. */
import { connectPostgres } from '@carecover/postgres';
import { CLAIM_TABLES, insertCopies } from '@carecover/testing/stack';

/** Opens two databases as the administrator, for copies of a claim in the first database to both of them. */
export function openClaimCopies(stackUrl: string, sideUrl: string, claimId: string) {
  const stack = connectPostgres(stackUrl, 1, 'bench-copy');
  const side = connectPostgres(sideUrl, 1, 'bench-copy');
  return {
    inStack: (ids: readonly string[]) => insertCopies(stack, stack, CLAIM_TABLES, claimId, ids),
    inSide: (ids: readonly string[]) => insertCopies(stack, side, CLAIM_TABLES, claimId, ids),
    async close() {
      await stack.end();
      await side.end();
    },
  };
}
