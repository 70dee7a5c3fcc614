/** The exports for the operator CLI: reads and changes of projects, keys and the audit log. */
export { OperatorError } from './operator-error';
export { audited, listAudit, type Operator } from './store/audit-log';
export { createKey, findKey, listKeys, revokeKey, rotateKey } from './store/keys';
export {
  type AgentWrites,
  agentWrites,
  createProject,
  listProjects,
  PROJECT_LIMITS,
  readNow,
  requireProject,
  setProject,
} from './store/projects';
export { tickForChange } from './store/test-clocks';
