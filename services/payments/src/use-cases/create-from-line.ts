/**
 * Creates the remittances and settlements of lines of bulk jobs, for the claims service, as POST /remittances and POST /settlements do. In a
 * dry run, the same rules decide on the facts of now, and nothing is written.
 *
 * Failure policy: that of the operations. A line that is executed again under its key, such as after a crash, has one effect.
 */
import type { JsonResponse } from '@carecover/commands';
import { notFound } from '@carecover/domain';
import type { PaymentsForClaims } from '@carecover/workflow-claim';
import { checkRemittance, createRemittance } from './create-remittance';
import { checkSettlement, createSettlement } from './create-settlement';
import type { CreationDeps } from './record-advice';

type RemittanceLine = Parameters<PaymentsForClaims['createRemittance']>[0];
type SettlementLine = Parameters<PaymentsForClaims['createSettlement']>[0];

/** Creates a remittance, once per key. @throws the API errors of {@link createRemittance} */
export async function createRemittanceOfLine(
  deps: CreationDeps,
  line: RemittanceLine,
): ReturnType<PaymentsForClaims['createRemittance']> {
  const call = { ...requestOf(line), operation: 'createRemittance', body: line.remittance } as const;
  if (line.isDryRun) {
    await checkRemittance(deps, call);
    return { remittanceId: null };
  }
  return { remittanceId: idOf(await createRemittance(deps, call)) };
}

/** Creates a settlement, once per key. @throws the API errors of {@link createSettlement} */
export async function createSettlementOfLine(
  deps: CreationDeps,
  line: SettlementLine,
): ReturnType<PaymentsForClaims['createSettlement']> {
  const call = { ...requestOf(line), operation: 'createSettlement', body: line.settlement } as const;
  if (line.isDryRun) {
    await checkSettlement(deps.sql, call);
    return { settlementId: null };
  }
  return { settlementId: idOf(await createSettlement(deps, call)) };
}

/** Returns what the calls of operations for a line have in common. @throws ApiError resource_not_found if the client is of another project */
function requestOf({ tenant, caller, key }: Pick<RemittanceLine, 'tenant' | 'caller' | 'key'>) {
  if (caller.tenant !== tenant) throw notFound();
  // The key is used for one input.
  return { caller, idempotencyKey: key, requestHash: Buffer.from(key), replayStatus: 201 };
}

function idOf({ text }: JsonResponse): string {
  return (JSON.parse(text) as { readonly id: string }).id;
}
