/** The database transaction in which a step of the pre-authorization workflow commits a command's effect and its response. */
import { type Command, commitCommand, notFound, type Sql, type Tenant, type Tx } from '@carecover/platform';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { preauthorizationResource } from '../resources';
import {
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
} from '../store/preauthorizations';
import { expireIfDue } from './expire-overdue';
import { reportPreauthorization } from './review-preauthorization';

/** Identifies a command on a pre-authorization; the command row has the rest. */
export interface PreauthorizationCommand {
  readonly commandId: string;
  readonly tenant: Tenant;
  readonly id: string;
}

export type CommandEffect = (
  tx: Tx,
  row: LockedPreauthorization,
  command: Command,
) => Promise<PreauthorizationRow>;

/**
 * Commits the effect of a command with its response. Does nothing if both are committed already. @throws the ApiError that `effect` throws
 */
export async function commitWithResponse(
  sql: Sql,
  { commandId, tenant, id }: PreauthorizationCommand,
  effect: CommandEffect,
): Promise<void> {
  await commitCommand(sql, tenant, commandId, async (tx, command) => {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row === null) throw notFound();
    return { status: 200, body: preauthorizationResource(await effect(tx, row, command)) };
  });
}

/**
 * Does the same as {@link commitWithResponse}, but first expires the pre-authorization if its deadline has passed. Returns its state after the command.
 */
export async function commitAfterExpiry(
  sql: Sql,
  command: PreauthorizationCommand,
  effect: CommandEffect,
): Promise<PreauthorizationReport> {
  await expireIfDue(sql, command.tenant, command.id);
  await commitWithResponse(sql, command, effect);
  return reportPreauthorization(sql, command.tenant, command.id);
}
