/**
 * The steps that the claims service executes: those of the workflows of claims, valuation runs and bulk jobs, and the calls from payments about
 * remittances, recoveries and settlements.
 */
import { finishCommand } from '@carecover/commands';
import { parseInstant } from '@carecover/contract';
import { storedTenant, type Tenant } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { FinishingActivity } from '@carecover/temporal/workflow';
import type { BulkJobSteps } from '@carecover/workflow-bulk-job';
import type { ClaimSteps } from '@carecover/workflow-claim';
import type { ClaimsForPayments } from '@carecover/workflow-remittance';
import type { ValuationSteps } from '@carecover/workflow-valuation';
import type { ClaimCommandDeps } from './use-cases/claim-command';
import { type BulkLineDeps, executeBulkLines } from './use-cases/execute-bulk-lines';
import {
  knownClaims,
  recordRecovery,
  recordRemittance,
  recordSettlement,
  recordWithdrawal,
} from './use-cases/record-remittance';
import { reviewClaim } from './use-cases/review-claim';
import { outstandingAt } from './use-cases/sum-receivables';
import { closeCutoff, computeResult, rollUpMonth } from './use-cases/value-portfolio';

/** Marks the tenant in a step's input as verified, because the gateway verified it before the workflow was started. */
function withTenant<Input extends { readonly tenant: string }>(input: Input): Input & { tenant: Tenant } {
  return { ...input, tenant: storedTenant(input.tenant) };
}

export function claimSteps(deps: ClaimCommandDeps): ClaimSteps & FinishingActivity {
  return {
    reviewClaim: (which) => reviewClaim(deps, withTenant(which)),
    finishCommand: ({ tenant, commandId }) =>
      finishCommand(deps.sql, deps.executors, storedTenant(tenant), commandId),
  };
}

export function valuationSteps(sql: Sql): ValuationSteps {
  return {
    closeCutoff: (run) => closeCutoff(sql, withTenant(run)),
    rollUpMonth: (run) => rollUpMonth(sql, withTenant(run)),
    computeResult: (run) => computeResult(sql, withTenant(run)),
  };
}

export function bulkJobSteps(deps: BulkLineDeps): BulkJobSteps {
  return {
    executeLines: (job) => executeBulkLines(deps, withTenant(job)),
  };
}

/** Creates the handlers of the calls from payments. @param notifySignals called after a commit that enqueued signals */
export function claimsForPayments(sql: Sql, notifySignals: () => void): StepHandlers<ClaimsForPayments> {
  return {
    knownClaims: (step) => knownClaims(sql, withTenant(step)),
    outstandingAt: ({ tenant, at }) => outstandingAt(sql, storedTenant(tenant), parseInstant(at)),
    recordRemittance: (step) => recordRemittance(sql, withTenant(step)),
    recordRecovery: (step) => recordRecovery(sql, withTenant(step)),
    recordWithdrawal: (step) => recordWithdrawal(sql, withTenant(step)),
    async recordSettlement(step) {
      if (await recordSettlement(sql, withTenant(step))) notifySignals();
    },
  };
}
