/** Temporal servers for tests of claims: one that skips time, and one in real time with all features. */
import { startDevTemporal, startTimeSkippingTemporal } from '@carecover/testing/servers';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

export interface TestTemporal {
  readonly client: Client;
  readonly nativeConnection: NativeConnection;
  /** Advances Temporal's clock if the server can skip time; otherwise does nothing. */
  sleep(ms: number): Promise<void>;
  teardown(): Promise<void>;
}

export async function timeSkippingTemporal(): Promise<TestTemporal> {
  const environment = await startTimeSkippingTemporal();
  return {
    client: environment.client,
    nativeConnection: environment.nativeConnection,
    sleep: (ms) => environment.sleep(ms),
    teardown: () => environment.teardown(),
  };
}

/** Starts a Temporal server in real time. Unlike the server that skips time, it can list workflows and terminate a run during an Update. */
export async function realTimeTemporal(): Promise<TestTemporal> {
  const server = await startDevTemporal();
  const connection = await Connection.connect({ address: server.address });
  const nativeConnection = await NativeConnection.connect({ address: server.address });
  return {
    client: new Client({ connection }),
    nativeConnection,
    sleep: async () => undefined,
    async teardown() {
      await nativeConnection.close();
      await connection.close();
      await server.stop();
    },
  };
}
