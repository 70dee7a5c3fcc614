/** Decodes the bytes of a settlement file. A byte that can't be decoded ends the import, because a changed reference would match nothing. */
import type { Readable } from 'node:stream';
import { FileError } from './row';

const UTF_16 = [
  { encoding: 'utf-16le', mark: Buffer.of(0xff, 0xfe) },
  { encoding: 'utf-16be', mark: Buffer.of(0xfe, 0xff) },
] as const;
const MARK_BYTES = 2;

/**
 * Yields the text of a file in UTF-8, or in UTF-16 if the file starts with the byte order mark of UTF-16. The text has no byte order mark.
 *
 * @throws FileError if the bytes are not text in this encoding
 */
export async function* decodeText(input: Readable): AsyncGenerator<string> {
  let start: Buffer | null = Buffer.alloc(0);
  let decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of input as AsyncIterable<string | Buffer>) {
    if (typeof chunk === 'string') {
      yield chunk;
      continue;
    }
    let bytes = chunk;
    if (start !== null) {
      bytes = Buffer.concat([start, chunk]);
      start = bytes;
      if (bytes.length < MARK_BYTES) continue;
      start = null;
      decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    }
    yield decode(decoder, bytes);
  }
  yield decode(decoder, start ?? Buffer.alloc(0)) + decode(decoder);
}

function encodingOf(bytes: Buffer): string {
  return UTF_16.find(({ mark }) => bytes.subarray(0, MARK_BYTES).equals(mark))?.encoding ?? 'utf-8';
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
