"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.describeClaim = describeClaim;
/** A claim told to an operator as text: what happened, when it took effect and when it was known, who decided, and the amounts. */
const contract_1 = require("@carecover/contract");
const platform_1 = require("@carecover/platform");
const valuation_1 = require("./rules/valuation");
const claims_in_full_1 = require("./store/claims-in-full");
const facts_1 = require("./store/facts");
const valuation_2 = require("./valuation");
function money(fact) {
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
        default:
            return '';
    }
}
function line(fact) {
    const status = fact.previousStatus === fact.nextStatus
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
        (0, contract_1.formatInstant)(fact.effectiveAt),
        (0, contract_1.formatInstant)(fact.recordedAt),
        fact.type.padEnd(19),
        remarks.filter((remark) => remark !== '').join('; '),
    ].join('  ');
}
function amounts({ currency, amount }) {
    const shown = Object.entries(amount).map(([name, value]) => `${name} ${value ?? '-'}`);
    return `${currency}, minor units: ${shown.join(', ')}`;
}
/**
 * The claim's timeline, as known now or at `at` (epoch milliseconds; answered as a valuation of that cutoff is, for ever the same).
 *
 * @throws Refusal resource_not_found; validation_failed where `at` is ahead of the clock
 */
async function describeClaim(sql, tenant, claimId, at) {
    const claim = await (0, claims_in_full_1.findClaimInFull)(sql, tenant, claimId);
    if (claim === null)
        throw (0, platform_1.notFound)();
    const cutoff = at ?? Math.max((await (0, platform_1.databaseNow)(sql)).getTime(), claim.last_recorded_at.getTime());
    // With `at`, the cutoff is made final before the facts are read.
    const known = at === undefined ? null : await (0, valuation_2.valueClaim)(sql, tenant, claimId, at);
    const facts = await (0, facts_1.factsKnownAt)(sql, claimId, cutoff);
    const valuation = known ?? (0, valuation_1.valueAt)(claimId, facts, cutoff);
    if (valuation === null)
        throw (0, platform_1.notFound)();
    return [
        `${claimId}  ${valuation.status}  ${at === undefined ? 'as known now' : `as known at ${(0, contract_1.formatInstant)(at)}`}`,
        `reference ${claim.provider_claim_reference}; session ${claim.session_id}; pre-authorization ${claim.preauthorization_id ?? 'none'}`,
        amounts(valuation),
        '',
        ` seq  ${'effective'.padEnd(24)}  ${'recorded'.padEnd(24)}  fact`,
        ...facts.map(line),
    ].join('\n');
}
