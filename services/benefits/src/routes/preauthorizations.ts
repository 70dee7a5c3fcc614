/**
 * The operations of pre-authorizations. A creation is one transaction; every later change is executed by the workflow. Failure policy:
 * while Temporal is unavailable they can be created and read; other writes respond 503, and their retry has one effect.
 */
import type { Environment } from '@carecover/contract';
import {
  ApiError,
  type Call,
  type Caller,
  executeCommand,
  type Handlers,
  listPage,
  newId,
  notFound,
  requireResource,
  type Sql,
  type TemporalCommands,
  writeOnce,
} from '@carecover/platform';
import type { BookingFacts } from '@carecover/workflow-preauthorization';
import {
  findPreauthorization,
  type PreauthorizationRow,
  preauthorizationResource,
} from '../store/preauthorizations';
import { type PreauthorizationCommand, updateOf, type Workflows, workflowOf } from '../workflow';
import { openForBooking } from './open-preauthorization';

export interface PreauthorizationDependencies {
  readonly sql: Sql;
  readonly engine: Pick<TemporalCommands, 'command'>;
  readonly workflows: Pick<Workflows, 'start'>;
  /** Reads a booking from care. @throws ApiError resource_not_found, service_unavailable */
  readonly readBooking: (caller: Caller, bookingId: string) => Promise<BookingFacts>;
  readonly environment: Environment;
}

type PreauthorizationOperations =
  | 'createPreauthorization'
  | 'getPreauthorization'
  | 'listPreauthorizations'
  | PreauthorizationCommand;

export function preauthorizationHandlers(
  deps: PreauthorizationDependencies,
): Pick<Handlers, PreauthorizationOperations> {
  const { sql, engine, workflows } = deps;

  /** Executes a command in the pre-authorization's workflow. */
  function command(call: Call<PreauthorizationCommand>) {
    const { caller } = call;
    const id = call.params.preauthorization_id;
    return executeCommand(sql, call, {
      resourceId: id,
      body: call.body,
      replayStatus: call.replayStatus,
      precheck: async () => {
        requireResource(caller, id, await findPreauthorization(sql, caller.tenant, id));
      },
      send: (sent) =>
        engine.command(
          id,
          workflowOf(id, caller),
          updateOf[call.operation],
          { commandId: sent.id, authority: caller.authority, requestId: caller.requestId },
          sent.updateId,
        ),
    });
  }

  return {
    async createPreauthorization(call) {
      const { caller, body } = call;
      const booking = await outcomeOf(deps.readBooking(caller, body.booking_id));
      let created: PreauthorizationRow | null = null;
      const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
        // A replay needs no booking, so an error of care rejects only a new creation.
        if ('error' in booking) throw booking.error;
        created = await openForBooking(tx, caller, body.eligibility_check_id, booking.value);
        return { status: 201, body: preauthorizationResource(created), resourceId: created.id };
      });
      if (created !== null) workflows.start(created);
      return reply;
    },

    async getPreauthorization(call) {
      const { preauthorization_id } = call.params;
      const row = await findPreauthorization(sql, call.caller.tenant, preauthorization_id);
      return {
        status: 200,
        body: preauthorizationResource(requireResource(call.caller, preauthorization_id, row)),
      };
    },

    async listPreauthorizations(call) {
      const page = await listPage<PreauthorizationRow, ReturnType<typeof preauthorizationResource>>(
        sql,
        call.caller,
        { table: 'preauthorizations', kind: 'preauthorization' },
        call.query,
        { column: 'status', value: call.query.status },
        preauthorizationResource,
      );
      return { status: 200, body: page };
    },

    decidePreauthorization: command,

    cancelPreauthorization: command,

    async expirePreauthorization(call) {
      if (deps.environment !== 'sandbox') throw notFound();
      return command({ ...call, idempotencyKey: call.idempotencyKey ?? newId('once_') });
    },
  };
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ value: T } | { error: ApiError }> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
