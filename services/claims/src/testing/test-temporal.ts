/** For suites: Temporal as they need it, skipping time or whole and in real time. */
import { startDevTemporal, startTimeSkippingTemporal } from '@carecover/local/testing';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

export interface TestTemporal {
  readonly client: Client;
  readonly nativeConnection: NativeConnection;
  /** Lets this long pass, where Temporal can skip time; else its clock goes on as it does, and the sweeps act on the database's. */
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

/** It can list workflows, and takes the loss of a run in the middle of an Update, which the time-skipping one can't. */
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
