/** The bytes and the text of a file in UTF-8, or in UTF-16 if the file starts with the byte order mark of UTF-16. */
import type { Readable } from 'node:stream';
import { FileError } from './file-error';

const MARKS = [
  { encoding: 'utf-8', mark: Buffer.of(0xef, 0xbb, 0xbf) },
  { encoding: 'utf-16le', mark: Buffer.of(0xff, 0xfe) },
  { encoding: 'utf-16be', mark: Buffer.of(0xfe, 0xff) },
] as const;
/** The length of the longest byte order mark. */
const MARK_BYTES = 3;

/** Yields the chunks of a file as bytes; the first chunk has at least as many bytes as a byte order mark, unless the file is shorter. */
async function* readChunks(input: Readable): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of input as AsyncIterable<string | Buffer>) {
    const bytes: Buffer = start === null ? Buffer.from(chunk) : Buffer.concat([start, Buffer.from(chunk)]);
    start = start === null || bytes.length >= MARK_BYTES ? null : bytes;
    if (start === null) yield bytes;
  }
  if (start !== null) yield start;
}

/**
 * Yields a file in UTF-8 without a byte order mark. A file in UTF-16 is converted. The bytes of a file in UTF-8 are not checked.
 *
 * @throws FileError if a file with the byte order mark of UTF-16 is not text in UTF-16
 */
export async function* readUtf8(input: Readable): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null = null;
  let isStart = true;
  for await (const chunk of readChunks(input)) {
    let bytes = chunk;
    if (isStart) {
      isStart = false;
      const found = MARKS.find(({ mark }) => chunk.subarray(0, mark.length).equals(mark));
      bytes = chunk.subarray(found?.mark.length ?? 0);
      if (found !== undefined && found.encoding !== 'utf-8')
        decoder = new TextDecoder(found.encoding, { fatal: true, ignoreBOM: true });
    }
    yield decoder === null ? bytes : Buffer.from(decode(decoder, bytes));
  }
  if (decoder !== null) decode(decoder);
}

/**
 * Yields the text of a file in UTF-8 or UTF-16, without a byte order mark.
 *
 * @throws FileError if the bytes are not text in this encoding
 */
export async function* decodeText(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const bytes of readUtf8(input)) yield decode(decoder, bytes);
  decode(decoder);
}

/** Decodes bytes, or without bytes the end of the text. @throws FileError if they are not text in the decoder's encoding */
function decode(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new FileError(
      `The file is not text in ${decoder.encoding.toUpperCase()}. Convert it to UTF-8, and import it again.`,
    );
  }
}

/** Yields the bytes of a stream. @throws FileError as soon as more than `maximum` bytes were read */
export async function* limitBytes(input: Readable, maximum: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maximum)
      throw new FileError(`The file has more than ${maximum.toLocaleString('en')} bytes, the maximum.`);
    yield chunk;
  }
}

/** Returns a copy of a text. JavaScript keeps a long text in memory as long as a part of it is used; a copy of the part prevents that. */
export function copyText(text: string): string {
  return Buffer.from(text).toString();
}
