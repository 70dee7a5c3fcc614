"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.claimActivities = claimActivities;
const adjudication_1 = require("./adjudication");
const ending_1 = require("./ending");
const information_1 = require("./information");
const remittances_1 = require("./remittances");
const submission_1 = require("./submission");
const view_1 = require("./view");
function claimActivities(sql, engine) {
    return {
        ...(0, view_1.viewSteps)(sql),
        ...(0, submission_1.submissionSteps)(sql),
        ...(0, information_1.informationSteps)(sql),
        ...(0, adjudication_1.adjudicationSteps)(sql),
        ...(0, ending_1.endingSteps)(sql),
        ...(0, remittances_1.remittanceSteps)(sql, engine),
    };
}
