"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.remittanceSteps = remittanceSteps;
/**
 * What payments decided, recorded on the claims: all claims of a call in one transaction, in any state, refusing nothing. A record
 * of an adjudication that is not committed here yet fails and is retried, since the claim's workflow is about to commit it.
 */
const platform_1 = require("@carecover/platform");
const recording_1 = require("../rules/recording");
const claims_1 = require("../store/claims");
const facts_1 = require("../store/facts");
const recorder_1 = require("../store/recorder");
const workflow_1 = require("../workflow");
const AUTHORITY = 'service:payments';
/** Locks the claims that have no fact of this cause yet: a repeat finds none. @throws Error where one is unknown */
async function lockUnrecorded(tx, tenant, claimIds, cause) {
    const claims = await (0, claims_1.lockClaims)(tx, tenant, claimIds);
    const unknown = claimIds.find((id) => !claims.some(({ row }) => row.id === id));
    if (unknown !== undefined)
        throw new Error(`payments told of a claim that is not here: ${unknown}`);
    const done = await (0, facts_1.claimsWithCause)(tx, claimIds, cause);
    return claims.filter(({ row }) => !done.has(row.id));
}
function remittanceSteps(sql, engine) {
    /** The claims' workflows look again. A call that can't reach them is repeated, and then records nothing new. */
    async function signal(tenant, claimIds) {
        const rows = await sql `
      select id, environment from claims where project_id = ${tenant} and id = any(${[...claimIds]})`;
        const reached = await Promise.all(rows.map(({ id, environment }) => engine.poke(id, (0, workflow_1.workflowOf)({ claimId: id, tenant, environment }), 'recorded')));
        if (reached.includes(false))
            throw (0, platform_1.unavailable)('The workflow engine');
    }
    return {
        async knownClaims({ tenant, claimIds }) {
            const rows = await sql `
        select id from claims where project_id = ${tenant} and id = any(${[...claimIds]})`;
            return rows.map((row) => row.id);
        },
        async recordRemittance({ tenant: project, remittanceId, receivedAt, allocations }) {
            const tenant = (0, platform_1.storedTenant)(project);
            const ids = allocations.map((allocation) => allocation.claimId);
            const allocationOf = new Map(allocations.map((allocation) => [allocation.claimId, allocation]));
            await sql.begin(async (tx) => {
                const claims = await lockUnrecorded(tx, tenant, ids, remittanceId);
                const entries = claims.map((claim) => {
                    const allocation = allocationOf.get(claim.row.id);
                    if (allocation === undefined)
                        throw new Error('a claim was locked that was not asked for');
                    if (allocation.adjudicationVersion > claim.standing.adjudicationVersion) {
                        throw new Error(`adjudication ${allocation.adjudicationVersion} is not committed yet`);
                    }
                    const happening = {
                        move: 'record_remittance',
                        cause: remittanceId,
                        authority: AUTHORITY,
                        effectiveAt: Date.parse(receivedAt),
                        reasonCode: allocation.reasonCode,
                        evidenceReferences: [remittanceId],
                        detail: { amount: allocation.amount },
                    };
                    return { claim, happenings: [happening] };
                });
                if (entries.length > 0)
                    await (0, recorder_1.recordOnAll)(tx, entries);
            });
            await signal(tenant, ids);
        },
        async recordSettlement({ tenant: project, remittanceId, causeId, settlementId, observedAt, amounts, reconciled, }) {
            const tenant = (0, platform_1.storedTenant)(project);
            const amountOf = new Map(amounts.map(({ claimId, amount }) => [claimId, amount]));
            const ids = [...new Set([...amountOf.keys(), ...(reconciled?.claimIds ?? [])])];
            // An observation taken back takes effect when it is recorded.
            const takesBack = causeId !== settlementId;
            const happeningsOn = ({ row, standing }) => {
                const amount = amountOf.get(row.id);
                const settled = amount === undefined
                    ? []
                    : [
                        {
                            move: (0, recording_1.settlementMove)(standing, amount),
                            cause: causeId,
                            authority: AUTHORITY,
                            ...(takesBack ? {} : { effectiveAt: Date.parse(observedAt) }),
                            evidenceReferences: [settlementId],
                            detail: { amount },
                        },
                    ];
                if (reconciled === null || !reconciled.claimIds.includes(row.id))
                    return settled;
                return [
                    ...settled,
                    {
                        move: 'reconcile',
                        cause: causeId,
                        authority: AUTHORITY,
                        effectiveAt: Date.parse(reconciled.at),
                        evidenceReferences: [remittanceId],
                    },
                ];
            };
            await sql.begin(async (tx) => {
                const claims = await lockUnrecorded(tx, tenant, ids, causeId);
                if (claims.length > 0)
                    await (0, recorder_1.recordOnAll)(tx, claims.map((claim) => ({ claim, happenings: happeningsOn(claim) })));
            });
            await signal(tenant, ids);
        },
    };
}
