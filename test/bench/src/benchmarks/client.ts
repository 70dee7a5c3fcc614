/** Measures the overhead of Carecover's client library over undici's request and fetch, with a server of minimal cost. */
import { startBare } from '../harness/bare-process';
import { compareContestants } from '../harness/contest';
import { printReport } from '../harness/report';
import type { Benchmark } from './benchmark';

export const client: Benchmark = async ({ client, tls, https }, size) => {
  const { data } = await client.practitioners.list({ limit: 1 });
  const [practitioner] = data;
  if (practitioner === undefined) throw new Error('the stack has no practitioner');
  const server = await startBare<{ port: number }>('constant-response', { tls, body: practitioner });
  const by = (name: string, way: 'client' | 'fetch' | 'request') => ({
    name,
    driver: 'client',
    options: () => ({
      ...https,
      origin: `https://127.0.0.1:${server.ready.port}`,
      practitionerId: practitioner.id,
      by: way,
    }),
    inGenerator: true,
  });
  const cells = await compareContestants(
    [by('ours', 'client'), by('bare fetch of undici', 'fetch'), by('bare request of undici', 'request')],
    size,
  );
  await server.stop();
  printReport({ benchmark: 'client', title: 'client.practitioners.retrieve(id)', cells });
};
