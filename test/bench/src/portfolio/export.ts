/** Exports all claims of a valuation run as files, and measures the memory that the service and the gateway use during the export. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';
import type { BenchStack } from '../harness/bench-stack';
import { measurePeakMemory } from '../harness/memory';
import { type Timed, time } from './sums';

export const FORMATS = {
  CSV: 'text/csv',
  NDJSON: 'application/x-ndjson',
  Parquet: 'application/vnd.apache.parquet',
} as const;

export interface Exported {
  readonly fileBytes: number;
  /** Resident memory of the claims process in bytes: before the export, and the maximum during the export. Both are null without /proc. */
  readonly serviceBytesBefore: number | null;
  readonly serviceBytes: number | null;
  readonly gatewayBytes: number | null;
}

/** Downloads the file with all claims of a run to `path`. @throws Error if the response is not 200 or not complete */
export async function exportClaims(
  { https, parts }: BenchStack,
  runId: string,
  mediaType: string,
  path: string,
): Promise<Timed<Exported>> {
  const dispatcher = new Agent({ connect: { ca: https.ca } });
  const download = async () => {
    const { statusCode, body } = await request(`${https.origin}/v1/valuation_runs/${runId}/claims`, {
      headers: { authorization: `Bearer ${https.key}`, accept: mediaType },
      dispatcher,
    });
    if (statusCode !== 200) throw new Error(`The export was rejected with ${statusCode}.`);
    await pipeline(body, createWriteStream(path));
  };
  const service = parts.process('claims', 0).pid;
  const gateway = parts.process('gateway', 0).pid;
  try {
    const before = await measurePeakMemory(service, async () => undefined);
    const { ms, result } = await time(() =>
      measurePeakMemory(service, () => measurePeakMemory(gateway, download)),
    );
    return {
      ms,
      result: {
        fileBytes: (await stat(path)).size,
        serviceBytesBefore: before.bytes,
        serviceBytes: result.bytes,
        gatewayBytes: result.result.bytes,
      },
    };
  } finally {
    await dispatcher.destroy();
  }
}
