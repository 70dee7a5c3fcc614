/** Concludes a command on a remittance: stores its response after the claims service has recorded the notifications about it. */
import { type Answer, CommandGone, failpoint, type Sql, type Tenant } from '@carecover/platform';
import type { ConclusionStep, RemittanceState } from '@carecover/workflow-remittance';
import { remittanceResource, settlementResource } from '../resources';
import { type CommandToAnswer, concludeAndRead, findCommandToAnswer } from '../store/remittance-state';

/**
 * Marks notifications about a remittance as recorded by the claims service, and stores the response of the command, if there is one. No
 * lock is needed, because the command can't be rejected any more. A repeated call changes nothing.
 */
export async function concludeRemittance(
  sql: Sql,
  tenant: Tenant,
  { remittanceId, commandId, recordedCauses }: ConclusionStep,
): Promise<RemittanceState> {
  const command = commandId === null ? null : await findCommandToAnswer(sql, tenant, commandId);
  if (commandId === null || command?.isAnswered)
    return concludeAndRead(sql, tenant, remittanceId, recordedCauses, null);
  if (command === null) throw new CommandGone(`command ${commandId} is gone`);
  const { operation } = command;
  const state = await concludeAndRead(sql, tenant, remittanceId, recordedCauses, {
    id: commandId,
    answer: answerOf(command),
  });
  failpoint('command.after-conclusion', operation);
  return state;
}

function answerOf({ operation, resourceId, remittance, settlement }: CommandToAnswer): Answer {
  if (remittance !== null) return { status: 201, body: remittanceResource(remittance) };
  if (settlement === null) throw new Error(`${operation} left no ${resourceId}`);
  return { status: operation === 'createSettlement' ? 201 : 200, body: settlementResource(settlement) };
}
