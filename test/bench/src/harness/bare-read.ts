/** The bare limit of a read: a Koa gateway that forwards to a Koa server with one query for a practitioner. Both use TLS. */
import type { PractitionerId } from '@carecover/client';
import type { Recording } from '../recording/statement';
import { startBare } from './bare-process';
import type { BenchStack } from './bench-stack';

/** Returns the ID of the practitioner that the measured requests read. */
export async function practitionerToRead({ client }: Pick<BenchStack, 'client'>): Promise<PractitionerId> {
  const { data } = await client.practitioners.list({ limit: 1 });
  const [practitioner] = data;
  if (practitioner === undefined) throw new Error('the project has no practitioner');
  return practitioner.id;
}

/** Starts the bare gateway and its bare service. The service also accepts requests itself. */
export async function startBareRead(stack: BenchStack, practitionerId: string) {
  const statement = {
    text: 'select * from practitioners where id = $1 and project_id = $2',
    parameters: [practitionerId, stack.projectId],
    types: [0, 0],
  };
  const recording: Recording = {
    startedAt: Date.now(),
    steps: [{ command: 'find', service: 'care', statements: [statement] }],
  };
  const { tls } = stack;
  const service = await startBare<{ port: number; plainPort: number }>('bare-service', {
    replay: { url: stack.databaseUrl('care'), recording },
    tls,
  });
  const gateway = await startBare<{ port: number }>('bare-gateway', {
    service: `http://127.0.0.1:${service.ready.plainPort}`,
    tls,
  });
  return {
    gatewayPort: gateway.ready.port,
    servicePort: service.ready.port,
    async stop(): Promise<void> {
      await gateway.stop();
      await service.stop();
    },
  };
}
