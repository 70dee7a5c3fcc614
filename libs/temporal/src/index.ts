/** Temporal: the workflow of a resource, its signals, the worker, the client. */

export * from '@carecover/setup/temporal-connection';
export * from './resource-workflow';
export * from './temporal';
export * from './temporal-errors';
export * from './worker';
export * from './workflow-signals';
