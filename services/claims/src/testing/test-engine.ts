/** For suites: the engine as they need it, skipping time or whole and in real time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevTemporal, startTimeSkippingTemporal } from '@carecover/local/testing';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

export interface TestEngine {
  readonly client: Client;
  readonly nativeConnection: NativeConnection;
  /** Lets this long pass. */
  sleep(ms: number): Promise<void>;
  teardown(): Promise<void>;
}

export async function timeSkippingEngine(): Promise<TestEngine> {
  const environment = await startTimeSkippingTemporal();
  return {
    client: environment.client,
    nativeConnection: environment.nativeConnection,
    sleep: (ms) => environment.sleep(ms),
    teardown: () => environment.teardown(),
  };
}

/** It can list workflows, which the time-skipping one can't. */
export async function realTimeEngine(): Promise<TestEngine> {
  const server = await startDevTemporal();
  const connection = await Connection.connect({ address: server.address });
  const nativeConnection = await NativeConnection.connect({ address: server.address });
  return {
    client: new Client({ connection }),
    nativeConnection,
    sleep: (ms) => sleep(ms),
    async teardown() {
      await nativeConnection.close();
      await connection.close();
      await server.stop();
    },
  };
}
