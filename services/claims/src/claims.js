"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.CLAIMS_SETTINGS = void 0;
exports.claimsHandlers = claimsHandlers;
exports.startClaims = startClaims;
/** The claims service put together: its settings, and the parts that a process of it runs. */
const platform_1 = require("@carecover/platform");
const activities_1 = require("./activities");
const claims_1 = require("./routes/claims");
const commands_1 = require("./routes/commands");
const valuation_1 = require("./routes/valuation");
const sweeps_1 = require("./sweeps");
const workflow_1 = require("./workflow");
exports.CLAIMS_SETTINGS = {
    ...platform_1.COMMON_SETTINGS,
    ...platform_1.TEMPORAL_SETTINGS,
    HASH_SECRET: (0, platform_1.secret)(32),
    NATS_URL: (0, platform_1.string)(),
};
/** Every operation that the contract gives to claims. */
function claimsHandlers(sql, engine) {
    return { ...(0, claims_1.claimHandlers)(sql), ...(0, commands_1.commandHandlers)(sql, engine), ...(0, valuation_1.valuationHandlers)(sql) };
}
function build(config, sql, log) {
    const engine = platform_1.Engine.create(config);
    return {
        handlers: claimsHandlers(sql, engine),
        sweeps: (0, sweeps_1.claimSweeps)(sql, engine, log),
        worker: {
            activities: (0, activities_1.claimActivities)(sql, engine),
            bundlePath: require.resolve('@carecover/workflow-claim/bundle'),
        },
        close: () => engine.close(),
    };
}
/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
function startClaims(config, roles) {
    return (0, platform_1.startService)({
        name: workflow_1.TASK_QUEUE,
        config,
        temporal: config,
        natsUrl: config.NATS_URL,
        roles,
        build: ({ sql, log }) => build(config, sql, log),
    });
}
