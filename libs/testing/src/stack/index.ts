/** Exports for the suites that start a whole stack: clients, test data, webhook receivers, backups. */

export * from './backup';
export * from './claim-scenario';
export * from './collector';
export * from './console-visitor';
export * from './costly-bodies';
export * from './event-loop';
export * from './example-receiver';
export * from './memory';
export * from './priority';
export * from './receivers';
export * from './retrying';
export * from './running-world';
export * from './stack-clients';
export * from './store/copies';
export * from './unfinished-connections';
export * from './world';
