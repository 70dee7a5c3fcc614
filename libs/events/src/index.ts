/** Events: the outbox, the relay that publishes it, and the stream. */

export * from './dead-lettered-events';
export * from './outbox';
export * from './relay';
export * from './stream';
