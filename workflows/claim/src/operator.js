"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OperatorDisplay = void 0;
/** What an operator sees of a claim: search attributes to find it by, and the current details in words. */
const workflow_1 = require("@carecover/platform/workflow");
const workflow_2 = require("@temporalio/workflow");
/** Keeps what is shown equal to what is known, and writes history only where it changed. */
class OperatorDisplay {
    status = null;
    dueAt = null;
    show(view) {
        (0, workflow_2.setCurrentDetails)(view.words);
        if (view.status === 'none')
            return;
        const changed = [
            ...(view.status === this.status ? [] : [{ key: workflow_1.CLAIM_STATUS, value: view.status }]),
            ...(view.dueAt === this.dueAt
                ? []
                : [{ key: workflow_1.DUE_AT, value: view.dueAt === null ? null : new Date(view.dueAt) }]),
        ];
        if (changed.length > 0)
            (0, workflow_2.upsertSearchAttributes)(changed);
        this.status = view.status;
        this.dueAt = view.dueAt;
    }
}
exports.OperatorDisplay = OperatorDisplay;
