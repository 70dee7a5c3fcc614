/**
 * Makes the eligibility checks of lines of a bulk job, as POST /eligibility_checks does. One transaction makes the checks of a call, each in a
 * part of its own.
 */
import type { EligibilityCheck, EligibilityCheckInput } from '@carecover/contract';
import { type Caller, notFound } from '@carecover/domain';
import { inParts, rolledBack, type Sql, type Transactions } from '@carecover/postgres';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { createEligibilityCheck } from './create-eligibility-check';

type Input = Parameters<BenefitsForClaims['createEligibilityChecks']>[0];
type Outcomes = Awaited<ReturnType<BenefitsForClaims['createEligibilityChecks']>>;

/** Makes checks, each once per key. Returns their IDs, or the API errors of {@link createEligibilityCheck}, in the order of the checks. */
export async function createEligibilityChecks(
  sql: Sql,
  { tenant, caller, isDryRun, checks }: Input,
): Promise<Outcomes> {
  if (caller.tenant !== tenant) throw notFound();
  return (isDryRun ? rolledBack(sql) : sql).begin((tx) =>
    inParts<Input['checks'][number], Outcomes[number]>(
      tx,
      checks,
      async (part, { key, check }) => ({
        eligibilityCheckId: (await createCheckOfLine(part, caller, key, check)).id,
      }),
      ({ code, message }) => ({ code, message }),
    ),
  );
}

/** Makes the check of a line, once per key. @throws the API errors of {@link createEligibilityCheck} */
export async function createCheckOfLine(
  transactions: Transactions,
  caller: Caller,
  key: string,
  body: EligibilityCheckInput,
): Promise<EligibilityCheck> {
  const { text } = await createEligibilityCheck(transactions, {
    operation: 'createEligibilityCheck',
    caller,
    body,
    idempotencyKey: key,
    // The key is used for one input.
    requestHash: Buffer.from(key),
    replayStatus: 200,
  });
  return JSON.parse(text) as EligibilityCheck;
}
