/** Helpers of the services' tests: HTTP calls to a service, pending commands, races, and counts of SQL statements. */
export { contextSettings, keysOfIssuer, signerOf, TEST_ISSUER_KEYS, verifyForAny } from './context-keys';
export { Killed, type KillPoint, useKillPoints } from './kill-points';
export { countWaiting, doneOrWaiting } from './locks';
export { pendingCommand } from './pending-command';
export { outcomeOf, playRounds, type Round, race, raceOutcomes } from './races';
export {
  type Answered,
  type Asked,
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
  countStatements,
  type PlanCost,
  type SentStatement,
  type StatementCost,
} from './statements';
export { findStoredAnswers } from './stored-answers';
