"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.insertAdjudication = insertAdjudication;
async function insertAdjudication(tx, claimId, adjudication) {
    await tx `
    insert into adjudications (claim_id, version, id, document)
    values (${claimId}, ${adjudication.version}, ${adjudication.id}, ${tx.json({ ...adjudication })})`;
}
