/**
 * The definition of a remittance's workflow, for the workflow itself and for the payments service, which starts, addresses and signals it.
 * The workflow also executes the commands of the remittance's settlements.
 */
import type { OperationId } from '@carecover/contract';
import type { SignalledWorkflow } from '@carecover/platform';
import { REMITTANCE_STATUS } from '@carecover/platform/workflow';

export const remittanceWorkflow = {
  type: 'remittanceWorkflow',
  taskQueue: 'payments',
  updates: { createRemittance: 'record', createSettlement: 'observe', reverseSettlement: 'reverse' },
  // The Temporal signal that is sent when the remittance's deadline has passed, or when claims has not yet recorded a change of the
  // remittance's settlements.
  signal: 'review',
  statusAttribute: REMITTANCE_STATUS,
  summaryOf: ({ tenant }) => `Remittance of ${tenant}`,
} as const satisfies SignalledWorkflow & { updates: Partial<Record<OperationId, string>> };

/** The operations that a remittance's workflow executes. */
export type RemittanceCommand = keyof typeof remittanceWorkflow.updates;
