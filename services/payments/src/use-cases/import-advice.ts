/**
 * Imports a payment advice of a file, with more lines than a request of the API can have, for an operator.
 *
 * Failure policy: one transaction records all lines or none. The same import again has no second effect. Claims records the advice when the
 * remittance's workflow delivers the notifications, so that the import does not need the claims service.
 */
import type { PaymentAdviceInput } from '@carecover/contract';
import { type Caller, newId, requireResource } from '@carecover/domain';
import { paymentAdviceResource } from '../resources';
import { contentOfAdvice, remittanceIdOf } from '../rules/advice';
import { findPaymentAdvice } from '../store/payment-advices';
import { type AdviceDeps, checkAdvice, commitAdvice } from './record-advice';
import { withdrawalBefore } from './replace-advice';

/** An import of one advice. */
export interface AdviceImport {
  /** The operator, as a caller of the project. */
  readonly author: Caller;
  /** What the file and the options say, as a text that differs if any of it does, at most 200 characters. */
  readonly digest: string;
  /** The advice, adv_…, that is withdrawn in the same transaction; null for none. */
  readonly replaces: string | null;
  readonly isDryRun: boolean;
}

/** What an import has done. */
export interface ImportedAdvice {
  /** The advice; null in a dry run. */
  readonly id: string | null;
  /** Whether an earlier import of the same file with the same options has recorded the advice. */
  readonly isKnown: boolean;
}

/**
 * Imports an advice.
 *
 * @param deps `claims` knows which claims without an account exist
 * @param input the advice, with valid values and at most 10,000 lines
 * @throws ApiError resource_not_found if the advice to replace does not exist; the errors of {@link commitAdvice}
 */
export async function importPaymentAdvice(
  deps: AdviceDeps,
  { author, digest, replaces, isDryRun }: AdviceImport,
  input: PaymentAdviceInput,
): Promise<ImportedAdvice> {
  const { tenant } = author;
  if (replaces !== null)
    requireResource(author, replaces, await findPaymentAdvice(deps.sql, tenant, replaces));
  const advice = contentOfAdvice(input, () => newId('rcv_'));
  const preceding = replaces === null ? null : withdrawalBefore(author, replaces);
  const call = {
    operation: replaces === null ? 'createPaymentAdvice' : 'replacePaymentAdvice',
    caller: author,
    // The key is used for one input.
    idempotencyKey: `advice file ${digest}`,
    requestHash: Buffer.from(digest),
    replayStatus: 201,
  } as const;
  const shown = { toResource: paymentAdviceResource, toRemittanceId: remittanceIdOf };
  if (isDryRun) {
    await checkAdvice(deps, call, advice, shown, preceding);
    return { id: null, isKnown: false };
  }
  const { reply } = await commitAdvice(deps, call, advice, shown, preceding);
  return { id: (JSON.parse(reply.text) as { readonly id: string }).id, isKnown: reply.replayed };
}
