/** Helpers of the services' tests: HTTP calls to a service, pending commands, races, and counts of SQL statements. */

export { caller, commandWithSteps, newWrite, useSql } from './commands';
export { contextSettings, keysOfIssuer, signerOf, TEST_ISSUER_KEYS, verifyForAny } from './context-keys';
export { Killed, type KillPoint, useKillPoints } from './kill-points';
export { countWaiting, doneOrWaiting } from './locks';
export { listMissingRun } from './missing-runs';
export { pendingCommand } from './pending-command';
export { outcomeOf, playRounds, type Round, race, raceOutcomes } from './races';
export type { TestReport, TestSteps } from './reviewed-workflow';
export {
  type Answered,
  type Asked,
  askInternalRoute,
  askOperatorRoute,
  askService,
  newTenant,
  SERVICE_SECRET,
  sendToService,
  testCaller,
} from './service-caller';
export {
  type CountingSql,
  costOfPlans,
  countSentDuring,
  countStatements,
  type PlanCost,
  type SentStatement,
  type StatementCost,
} from './statements';
export { findStoredAnswers } from './stored-responses';
export { type RecordedSpans, recordSpans } from './tracing';
export type { WaitingSteps } from './waiting-workflows';
