/** The stack of all suites in this folder, with the console, and the collector of the spans that its processes export. */
import { join } from 'node:path';
import { repositoryRoot } from '@carecover/setup/repository';
import { type Collector, startCollector, useWorld } from '@carecover/testing/stack';

/** The path of the built operator CLI. */
export const CLI = join(repositoryRoot(), 'libs/cli/dist/main.js');

export let collector: Collector;

beforeAll(async () => {
  collector = await startCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  process.env.OTEL_BSP_SCHEDULE_DELAY = '100';
});
afterAll(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  delete process.env.OTEL_BSP_SCHEDULE_DELAY;
  collector?.close();
});

export const running = useWorld({ console: true });
