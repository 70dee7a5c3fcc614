/** The tool that lists what waits for a person. */
import type { OperationId } from '@carecover/contract';
import { operations } from '@carecover/contract';
import { callOperation, limitOf, type OperationCaller, type ToolArguments } from '../operation-call';
import { argumentsSchema, operationArguments } from '../schema';
import { compact, type DirectTool } from './definition';
import { CLAIM_FIELDS, PREAUTHORIZATION_FIELDS, REMITTANCE_FIELDS } from './reads';

interface WorkList {
  readonly name: string;
  readonly waits_for: string;
  readonly operation: OperationId;
  readonly status: string;
  readonly fields: readonly string[];
}

const SETTLEMENT_FIELDS = ['id', 'remittance_id', 'source_reference', 'amount', 'status', 'recorded_at'];

const lists: readonly WorkList[] = [
  {
    name: 'claims_to_adjudicate',
    waits_for: 'the payer adjudicates the claim or asks for information',
    operation: 'listClaims',
    status: 'submitted',
    fields: CLAIM_FIELDS,
  },
  {
    name: 'claims_to_answer',
    waits_for: 'the provider answers the information request, before its due_at',
    operation: 'listClaims',
    status: 'queried',
    fields: [...CLAIM_FIELDS, 'information_requests'],
  },
  {
    name: 'preauthorizations_to_decide',
    waits_for: 'the payer approves or denies the pre-authorization',
    operation: 'listPreauthorizations',
    status: 'pending',
    fields: PREAUTHORIZATION_FIELDS,
  },
  {
    name: 'remittances_in_exception',
    waits_for: 'finance clears the exception: explain_remittance says how',
    operation: 'listRemittances',
    status: 'exception',
    fields: REMITTANCE_FIELDS,
  },
  {
    name: 'remittances_without_all_funds',
    waits_for: 'money arrives and a settlement is recorded',
    operation: 'listRemittances',
    status: 'received',
    fields: REMITTANCE_FIELDS,
  },
  {
    name: 'unmatched_settlements',
    waits_for: 'finance matches the settlement: explain_remittance of its remittance says how',
    operation: 'listSettlements',
    status: 'unmatched',
    fields: SETTLEMENT_FIELDS,
  },
];

async function findWaiting(caller: OperationCaller, given: ToolArguments) {
  const limit = limitOf(given);
  const found: Record<string, unknown> = {};
  // One list after the other: together they would use the permits of the project's other requests.
  for (const { name, waits_for, operation, status, fields } of lists) {
    const { data, has_more } = compact(await callOperation(caller, operation, { status, limit }), fields);
    found[name] = { waits_for, items: data, has_more };
  }
  return found;
}

const limit = operationArguments(operations.listClaims).properties.limit ?? {};

export const whatWaits: DirectTool = {
  name: 'what_waits',
  title: 'List what waits for a person',
  description:
    'Lists what waits for a person now, in six lists: claims to adjudicate, claims with an open question (with its deadline), pre-authorizations to decide, remittances in exception, remittances without all funds, and unmatched settlements. Use it for "what should I do today" or "is anything stuck". Each list has the newest items, at most limit, and has_more. For more of one list use list_claims, list_preauthorizations or list_remittances with that status. For failed webhooks use list_deliveries.',
  operations: [...new Set(lists.map(({ operation }) => operation))],
  inputSchema: argumentsSchema({ limit }, []),
  outputSchema: undefined,
  run: findWaiting,
};
