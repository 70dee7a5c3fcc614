/**
 * Measures GET /practitioners/{id} in three ways: through Carecover's gateway with key check, exact rate limit, service and database;
 * through a Koa server with one query; and through a Koa gateway that forwards to a Koa server. All three use TLS.
 */
import { startBare } from '../harness/bare-process';
import { compareContestants } from '../harness/contest';
import { printReport } from '../harness/report';
import type { Recording } from '../recording/statement';
import type { Benchmark } from './benchmark';

export const gateway: Benchmark = async (stack, size) => {
  const { data } = await stack.client.practitioners.list({ limit: 1 });
  const id = data[0]?.id ?? '';
  const statement = {
    text: 'select * from practitioners where id = $1 and project_id = $2',
    parameters: [id, stack.projectId],
    types: [0, 0],
  };
  const recording: Recording = {
    startedAt: Date.now(),
    steps: [{ command: 'find', service: 'care', statements: [statement] }],
  };
  const { tls, https } = stack;
  const service = await startBare<{ port: number; plainPort: number }>('bare-service', {
    replay: { url: stack.databaseUrl('care'), recording },
    tls,
  });
  const bareGateway = await startBare<{ port: number }>('bare-gateway', {
    service: `http://127.0.0.1:${service.ready.plainPort}`,
    tls,
  });
  const shots = [{ method: 'GET', path: `/v1/practitioners/${id}` }];
  const requestOptions = (port: number) => () => ({
    ...https,
    origin: `https://127.0.0.1:${port}`,
    shots,
    again: true,
  });
  const cells = await compareContestants(
    [
      { name: 'ours', driver: 'http', options: () => ({ ...https, shots, again: true }) },
      { name: 'bare gateway and service', driver: 'http', options: requestOptions(bareGateway.ready.port) },
      { name: 'bare service', driver: 'http', options: requestOptions(service.ready.port) },
    ],
    size,
  );
  await bareGateway.stop();
  await service.stop();
  printReport({ benchmark: 'gateway', title: 'GET /practitioners/{id}', cells });
};
