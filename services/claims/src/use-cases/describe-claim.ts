/** Describes a claim as text for operators: what it waits for, and its facts with effective and recorded times, authorities and amounts. */

import { pendingCommandsOf } from '@carecover/commands';
import { type ClaimValuation, formatInstant } from '@carecover/contract';
import { notFound, type Tenant } from '@carecover/domain';
import { databaseNow, type Sql } from '@carecover/postgres';
import { awaitedBy } from '../resources';
import type { Fact } from '../rules/facts';
import { valueAt } from '../rules/valuation';
import { type ClaimInFull, findClaimInFull } from '../store/claims-in-full';
import { factsKnownAt } from '../store/facts';
import { valueClaim } from './value-claim';

function money(fact: Fact): string {
  switch (fact.type) {
    case 'created':
      return `billed ${fact.detail.billed} ${fact.detail.currency}`;
    case 'approved':
    case 'partially_approved':
    case 'denied':
      return `payer ${fact.detail.payer}, patient ${fact.detail.patient_responsibility}, adjustment ${fact.detail.adjustment} under ${fact.detail.policy.reference} ${fact.detail.policy.version}`;
    case 'remittance_recorded':
    case 'settled':
      return `${fact.detail.amount > 0 ? '+' : ''}${fact.detail.amount}`;
    case 'remittance_recovered':
      return `-${fact.detail.amount}`;
    default:
      return '';
  }
}

function line(fact: Fact): string {
  const status =
    fact.previousStatus === fact.nextStatus
      ? fact.nextStatus
      : `${fact.previousStatus ?? 'none'} -> ${fact.nextStatus}`;
  const remarks = [
    status,
    money(fact),
    fact.reasonCode ?? '',
    fact.evidenceReferences.length === 0 ? '' : `[${fact.evidenceReferences.join(', ')}]`,
    `by ${fact.authority}`,
  ];
  return [
    String(fact.sequence).padStart(4),
    formatInstant(fact.effectiveAt),
    formatInstant(fact.recordedAt),
    fact.type.padEnd(20),
    remarks.filter((remark) => remark !== '').join('; '),
  ].join('  ');
}

function amounts({ currency, amount }: ClaimValuation): string {
  const shown = Object.entries(amount).map(([name, value]) => `${name} ${value ?? '-'}`);
  return `${currency}, minor units: ${shown.join(', ')}`;
}

/** Returns the lines that are true only now: what the claim waits for, and its commands without a response. */
async function linesOfNow(sql: Sql, tenant: Tenant, claim: ClaimInFull): Promise<string[]> {
  const awaited = awaitedBy(claim);
  const commands = await pendingCommandsOf(sql, tenant, claim.id);
  return [
    ...(awaited === null ? [] : [`waits for ${awaited}`]),
    ...commands.map(({ operation, created_at, is_interrupted }) => {
      const command = `${operation} since ${formatInstant(created_at.getTime())}`;
      return is_interrupted
        ? `interrupted: ${command}; an activity of the workflow ${claim.id} in Temporal finishes it, and shows each attempt's error`
        : `in progress: ${command}`;
    }),
  ];
}

/**
 * Returns a claim's facts and amounts as text: as known now, or as known at `at` (epoch milliseconds). The text for `at` never changes.
 *
 * @throws ApiError resource_not_found; validation_failed if `at` is more than 5 seconds in the future
 */
export async function describeClaim(sql: Sql, tenant: Tenant, claimId: string, at?: number): Promise<string> {
  const claim = await findClaimInFull(sql, tenant, claimId);
  if (claim === null) throw notFound();
  const cutoff = at ?? Math.max((await databaseNow(sql)).getTime(), claim.last_recorded_at.getTime());
  // valueClaim makes the facts through `at` final before they are read.
  const known = at === undefined ? null : await valueClaim(sql, tenant, claimId, at);
  const facts = await factsKnownAt(sql, tenant, claimId, cutoff);
  const valuation = known ?? valueAt(claimId, facts, cutoff);
  if (valuation === null) throw notFound();
  return [
    `${claimId}  ${valuation.status}  ${at === undefined ? 'as known now' : `as known at ${formatInstant(at)}`}`,
    `reference ${claim.provider_claim_reference}; session ${claim.session_id}; pre-authorization ${claim.preauthorization_id ?? 'none'}`,
    amounts(valuation),
    ...(at === undefined ? await linesOfNow(sql, tenant, claim) : []),
    '',
    ` seq  ${'effective'.padEnd(24)}  ${'recorded'.padEnd(24)}  fact`,
    ...facts.map(line),
  ].join('\n');
}
