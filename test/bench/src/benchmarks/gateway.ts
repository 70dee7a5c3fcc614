/**
 * Measures GET /practitioners/{id} in three ways: through Carecover's gateway with key check, exact rate limit, service and database;
 * through a Koa server with one query; and through a Koa gateway that forwards to a Koa server. All three use TLS.
 */
import { practitionerToRead, startBareRead } from '../harness/bare-read';
import { compareContestants } from '../harness/contest';
import { printReport } from '../harness/report';
import type { Benchmark } from './benchmark';

export const gateway: Benchmark = async (stack, size) => {
  const id = await practitionerToRead(stack);
  const bare = await startBareRead(stack, id);
  const { https } = stack;
  const shots = [{ method: 'GET', path: `/v1/practitioners/${id}` }];
  const requestOptions = (port: number) => () => ({
    ...https,
    origin: `https://127.0.0.1:${port}`,
    shots,
    again: true,
  });
  const contestants = [
    { name: 'ours', driver: 'http', options: () => ({ ...https, shots, again: true }) },
    { name: 'bare gateway and service', driver: 'http', options: requestOptions(bare.gatewayPort) },
    { name: 'bare service', driver: 'http', options: requestOptions(bare.servicePort) },
  ];
  // A round that is not reported, so that no reported measurement is of code that JavaScript has not compiled yet.
  await compareContestants(contestants, { ...size, connections: [Math.max(...size.connections)], rounds: 1 });
  const cells = await compareContestants(contestants, size);
  await bare.stop();
  printReport({ benchmark: 'gateway', title: 'GET /practitioners/{id}', cells });
};
