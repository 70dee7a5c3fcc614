/** A service as a process: it assembles the database, the HTTP server, the worker, the relay and the sweeps. */

export * from './after-restore';
export * from './clock-routes';
export * from './dead-lettered-events-route';
export * from './service';
