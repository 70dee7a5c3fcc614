/** What the suites that cross services share: a client that trusts the stack, a maker of resources, receivers. */

export * from './backup';
export * from './collector';
export * from './costly-bodies';
export * from './memory';
export * from './persistence';
export * from './receivers';
export * from './running-world';
export * from './story';
export * from './trusting';
export * from './unfinished-connections';
export * from './world';
