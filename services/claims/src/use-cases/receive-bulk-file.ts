/**
 * Receives the file of a bulk job: its lines are stored while the file arrives, so that no process has the whole file in memory. A row that
 * can't be read is the rejected line of its row. A file that does not arrive, or exceeds a limit, leaves nothing.
 */
import { createHmac } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BULK_FILE_LIMIT, type BulkJobKind } from '@carecover/contract';
import { ApiError, digest128 } from '@carecover/domain';
import { FileError, readCsvRows, readFileRows } from '@carecover/import-files';
import type { Sql } from '@carecover/postgres';
import { columnsOf, lineOfRow, REQUIRED_COLUMNS } from '../rules/bulk-csv';
import { insertLines, type JobRow, type ReceivedLine } from '../store/bulk-jobs';

/** A file that arrives. */
export interface ArrivingFile {
  readonly stream: Readable;
  readonly mediaType: string;
  readonly isCompressed: boolean;
}

/** The number and the characters of lines that one statement inserts. */
const BATCH = { lines: 500, characters: 1024 * 1024 };

/** Longest message about a row that can't be read. */
const UNREADABLE_CHARACTERS = 500;

/**
 * Stores the lines of a file.
 *
 * @param jobKey what makes the keys of the lines different from those of other jobs
 * @returns the number of lines, and a keyed digest of the file, by which an equal file is recognized
 * @throws ApiError payload_too_large, validation_failed
 */
export async function receiveBulkFile(
  sql: Sql,
  { project_id: tenant, id, kind }: Pick<JobRow, 'project_id' | 'id' | 'kind'>,
  file: ArrivingFile,
  jobKey: string,
  secret: string,
): Promise<{ readonly lines: number; readonly digest: string }> {
  const hash = createHmac('sha256', secret);
  const bytes = unpacked(file, (chunk) => hash.update(chunk));
  const seen = new Set<string>();
  let batch: ReceivedLine[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await insertLines(sql, tenant, id, batch);
    batch = [];
    characters = 0;
  };
  let lines = 0;
  try {
    for await (const { line, content, unreadable } of rowsOf(kind, file.mediaType, bytes)) {
      lines += 1;
      if (lines > BULK_FILE_LIMIT.lines)
        throw new ApiError('payload_too_large', `The file must have at most ${BULK_FILE_LIMIT.lines} lines.`);
      const key = digest128(`${jobKey}\n${kind}\n${content ?? `line ${line}`}`);
      batch.push({ line, key, is_repeated: seen.has(key), content, unreadable });
      seen.add(key);
      characters += content?.length ?? 0;
      if (batch.length >= BATCH.lines || characters >= BATCH.characters) await flush();
    }
    await flush();
  } catch (error) {
    throw toApiError(error);
  } finally {
    bytes.destroy();
    file.stream.destroy();
  }
  if (lines === 0) throw new ApiError('validation_failed', 'The file must have at least one line.');
  return { lines, digest: hash.digest('hex') };
}

/** Returns the bytes of the file, unpacked. @throws ApiError payload_too_large, in the stream */
function unpacked({ stream, isCompressed }: ArrivingFile, onChunk: (chunk: Buffer) => void): Readable {
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > BULK_FILE_LIMIT.bytes) {
        done(
          new ApiError(
            'payload_too_large',
            `The file must have at most ${BULK_FILE_LIMIT.bytes} bytes, unpacked.`,
          ),
        );
        return;
      }
      onChunk(chunk);
      done(null, chunk);
    },
  });
  // The reader of the last stream gets the error of any of them.
  const ignore = () => undefined;
  return isCompressed ? pipeline(stream, createGunzip(), limited, ignore) : pipeline(stream, limited, ignore);
}

type Row = Pick<ReceivedLine, 'line' | 'content' | 'unreadable'>;

async function* rowsOf(kind: BulkJobKind, mediaType: string, bytes: Readable): AsyncGenerator<Row> {
  if (mediaType === 'text/csv') {
    const columns = {
      required: REQUIRED_COLUMNS[kind],
      optional: [...columnsOf(kind).keys()].filter((column) => !REQUIRED_COLUMNS[kind].includes(column)),
      separator: 'detect' as const,
      allowsOthers: false,
    };
    for await (const row of readCsvRows(bytes, columns)) {
      if ('reason' in row) yield unreadableRow(row);
      else yield readRow(row.line, lineOfRow(kind, row.cells));
    }
    return;
  }
  for await (const row of readFileRows(bytes, 'lines')) {
    if ('reason' in row) yield unreadableRow(row);
    else yield readRow(row.line, row.text.trim());
  }
}

function readRow(line: number, content: string): Row {
  return content.includes('\0')
    ? { line, content: null, unreadable: 'The row must not contain NUL.' }
    : { line, content, unreadable: null };
}

function unreadableRow({ line, reason }: { readonly line: number; readonly reason: string }): Row {
  return {
    line,
    content: null,
    unreadable: `The row can't be read: ${reason}.`.slice(0, UNREADABLE_CHARACTERS),
  };
}

const ZLIB_ERROR = /^Z_|^ERR_BUFFER_TOO_LARGE$/;

/** Converts the errors of a file to API errors. */
function toApiError(error: unknown): unknown {
  if (error instanceof FileError) {
    const place = error.line === null ? '' : `line ${error.line}: `;
    return new ApiError('validation_failed', `${place}${error.message}`);
  }
  const code = String(Reflect.get(Object(error), 'code'));
  if (ZLIB_ERROR.test(code))
    return new ApiError('validation_failed', 'The body must be a complete gzip file.');
  return error;
}
