/** Reads the file of a bulk job for its upload. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { UploadedFile } from '@carecover/client';
import { BULK_FILE_LIMIT, bulkFileFormat } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';

const compress = promisify(gzip);

/** Returns the upload of a file. A file with another ending than those of bulk jobs has lines of JSON. */
async function uploadOf(file: string, bytes: Buffer): Promise<UploadedFile> {
  const { mediaType, isCompressed } = bulkFileFormat(file);
  const content = isCompressed ? bytes : await compress(bytes);
  return { content, mediaType: mediaType ?? 'application/x-ndjson', encoding: 'gzip' };
}

/**
 * Returns a file, compressed unless its name ends in `.gz`, and a digest of the file and of the given values.
 *
 * @throws OperatorError if the file is larger than a bulk job accepts
 */
export async function readBulkFile(
  file: string,
  values: readonly string[],
): Promise<{ readonly upload: UploadedFile; readonly digest: string }> {
  const bytes = await readFile(file);
  if (bytes.length > BULK_FILE_LIMIT.bytes)
    throw new OperatorError(`${file} has more than ${BULK_FILE_LIMIT.bytes} bytes, the maximum. Split it.`);
  const hash = createHash('sha256').update(values.join('\n')).update('\0').update(bytes);
  return {
    upload: await uploadOf(file, bytes),
    digest: hash.digest('hex').slice(0, 32),
  };
}
