/** The tools that compare valuations of a claim, and that start and read valuation runs over all claims. */
import { formatAmount, operations, VALUATION_RUN_LIMIT } from '@carecover/contract';
import { callOperation, type OperationCaller, type ToolArguments, ToolError } from '../operation-call';
import {
  argumentsSchema,
  idempotencyKeySchema,
  type JsonSchema,
  operationArguments,
  selectFields,
} from '../schema';
import type { DirectTool } from './definition';
import { RUN_FIELDS } from './reads';

const { claim_id = {}, valuation_at = {} } = operationArguments(operations.getClaimValuation).properties;

function cutoff(which: string): JsonSchema {
  return { ...valuation_at, description: `The ${which} cutoff. ${valuation_at.description}` };
}

interface Valuation {
  readonly valuation_at: string;
  readonly currency: string;
  readonly status: string;
  readonly amount: Readonly<Record<string, number | string | null>>;
  readonly events: readonly { readonly sequence: number }[];
}

function summaryOf({ valuation_at: at, status, amount }: Valuation) {
  return { valuation_at: at, status, amount };
}

/** Returns the amounts that differ. The difference is later minus earlier; null if one of them is not known. */
function differencesOf(earlier: Valuation, later: Valuation) {
  return Object.entries(later.amount).flatMap(([name, after]) => {
    const before = earlier.amount[name] ?? null;
    if (name.endsWith('_text') || before === after) return [];
    const difference = typeof before === 'number' && typeof after === 'number' ? after - before : null;
    const text = difference === null ? {} : { difference_text: formatAmount(difference, later.currency) };
    return [{ amount: name, earlier: before, later: after, difference, ...text }];
  });
}

async function compareValuations(caller: OperationCaller, given: ToolArguments) {
  const { claim_id: claim } = given;
  const valueAt = async (name: string) => {
    if (given[name] === undefined) throw new ToolError('validation_failed', `${name} is required.`);
    const valuation = await callOperation(caller, 'getClaimValuation', {
      claim_id: claim,
      valuation_at: given[name],
    });
    return valuation as unknown as Valuation;
  };
  const valued = [await valueAt('first_at'), await valueAt('second_at')];
  // Instants in responses are in UTC with milliseconds, so their order is that of their texts.
  const [earlier, later] = valued.sort((a, b) => (a.valuation_at < b.valuation_at ? -1 : 1));
  if (earlier === undefined || later === undefined) throw new Error('two valuations were read');
  const known = new Set(earlier.events.map(({ sequence }) => sequence));
  return {
    claim_id: claim,
    currency: later.currency,
    earlier: summaryOf(earlier),
    later: summaryOf(later),
    changed_amounts: differencesOf(earlier, later),
    new_facts: later.events.filter(({ sequence }) => !known.has(sequence)),
  };
}

const compareTool: DirectTool = {
  name: 'compare_valuations',
  title: 'Compare a claim at two cutoffs',
  description:
    'Compares one claim (clm_…) at two cutoffs: status and amounts at each, the amounts that changed, and the facts that became known in between (new_facts), each with when it took effect (effective_at) and when it was recorded (recorded_at). Use it for "what changed on this claim between March and April" and "why does our March figure differ today". The order of the two cutoffs does not matter. Both must be at or after the creation of the claim.',
  operations: ['getClaimValuation'],
  inputSchema: argumentsSchema({ claim_id, first_at: cutoff('first'), second_at: cutoff('second') }, [
    'claim_id',
    'first_at',
    'second_at',
  ]),
  outputSchema: undefined,
  run: compareValuations,
};

const runArguments = operationArguments(operations.createValuationRun);

const startTool: DirectTool = {
  name: 'start_valuation_run',
  title: operations.createValuationRun.summary,
  description: `Starts a valuation of all claims at a cutoff, as sums per group (kind totals, with group_by) or as a development triangle (kind development, with development). Use it for month-end figures and for sums over many claims. It changes no claim; the run remains listed. It returns the run's id (vrun_…) with status pending: read it with get_valuation_run until it is ready, usually within seconds. Equal arguments give equal results permanently. valuation_at is the cutoff of knowledge; effective_through that of business time. Send an idempotency_key (8 to 255 characters) and the same one when you repeat the call.`,
  operations: ['createValuationRun'],
  inputSchema: argumentsSchema(
    {
      ...runArguments.properties,
      idempotency_key: idempotencyKeySchema('run'),
    },
    runArguments.required ?? [],
  ),
  outputSchema: undefined,
  // The response to a repeated call can be a run with all of its groups, and a write that was executed must not look like an error.
  run: async (caller, given) =>
    selectFields(await callOperation(caller, 'createValuationRun', given), RUN_FIELDS),
};

/** The number of groups in a result: a run can have thousands, which a model can't read. */
const SHOWN_GROUPS = 40;

async function readRun(caller: OperationCaller, given: ToolArguments) {
  const run = await callOperation(caller, 'getValuationRun', given);
  const groups: unknown[] = Array.isArray(run.groups) ? run.groups : [];
  return {
    ...run,
    groups: groups.slice(0, SHOWN_GROUPS).map(withoutAbsentDimensions),
    group_count: groups.length,
  };
}

/** Leaves out the dimensions by which the run is not grouped. */
function withoutAbsentDimensions(group: unknown): unknown {
  return Object.fromEntries(Object.entries(group as object).filter(([, value]) => value !== null));
}

const runTool: DirectTool = {
  name: 'get_valuation_run',
  title: operations.getValuationRun.summary,
  description: `Reads a valuation run (vrun_…): status (pending, ready or failed) and progress in percent, and when it is ready the totals per currency, at most ${SHOWN_GROUPS} of its groups (group_count says how many there are, up to ${VALUATION_RUN_LIMIT.groups}), or its triangle, in which row and column are a period of service and a valuation date. If it is pending, wait a few seconds and call again.`,
  operations: ['getValuationRun'],
  inputSchema: operationArguments(operations.getValuationRun),
  outputSchema: undefined,
  app: 'triangle',
  run: readRun,
};

export const valuations: readonly DirectTool[] = [compareTool, startTool, runTool];
