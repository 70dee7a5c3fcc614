/**
 * Opens bank files, also compressed ones: gzip, and zip archives with one statement or CSV file. What a file unpacks to is read as a stream and is bounded,
 * so that a small file can't fill the memory or run without end.
 *
 * Failure policy: a file that is not complete, encrypted, or has several files in it is rejected as a whole, before any of its rows is stored.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileError, limitBytes } from '@carecover/import-files';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';

/** A bank file that can be read several times. */
export interface BankFile {
  /** The name of the file, or of the file in the archive, from which its format is derived. */
  readonly name: string;
  /**
   * Reads the unpacked bytes. Reading a compressed file throws a FileError if it is not complete, or unpacks to more than the maximum; the size of
   * other files is not bounded here.
   */
  open(): Readable;
}

/** Maximum number of bytes to which a compressed file unpacks. */
const MAX_UNPACKED_FILE_BYTES = 1_000_000_000;

/** Maximum number of files in an archive; banks deliver one. */
const MAX_ENTRIES = 100;

const GZIP = Buffer.of(0x1f, 0x8b);
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');

/** A file as it was delivered, on a disk or in memory. */
interface Delivered {
  readonly name: string;
  /** The first bytes. */
  readonly start: Buffer;
  read(): Readable;
  openArchive(): Promise<ZipFile>;
}

/** The entries of an archive are read one by one, and the archive is closed by {@link inArchive}. */
const ARCHIVE = { lazyEntries: true, autoClose: false } as const;

/** The number of bytes of a file in memory that are read at once, so that other requests are served between them. */
const SLICE_BYTES = 65_536;

/**
 * Finds out whether a file is compressed, by its first bytes, and returns how to read it.
 *
 * @param maximum the maximum number of bytes to which it unpacks
 * @throws FileError if an archive can't be read or has no or several statements
 */
export async function findBankFile(path: string, maximum = MAX_UNPACKED_FILE_BYTES): Promise<BankFile> {
  return unpacked(
    {
      name: basename(path),
      start: await readStart(path),
      read: () => createReadStream(path),
      openArchive: () => openPromise(path, ARCHIVE),
    },
    maximum,
  );
}

/** Returns how to read a file in memory; otherwise as {@link findBankFile}. */
export function bankFileInMemory(name: string, bytes: Buffer, maximum: number): Promise<BankFile> {
  return unpacked(
    {
      name: basename(name),
      start: bytes.subarray(0, ZIP.length),
      read: () => Readable.from(slices(bytes)),
      openArchive: () => fromBufferPromise(bytes, ARCHIVE),
    },
    maximum,
  );
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES)
    yield bytes.subarray(start, start + SLICE_BYTES);
}

async function unpacked(file: Delivered, maximum: number): Promise<BankFile> {
  const { name, start } = file;
  if (start.subarray(0, GZIP.length).equals(GZIP)) {
    const unpack = () => pipeline(file.read(), createGunzip(), () => undefined);
    return { name: name.replace(/\.gz$/i, ''), open: () => bounded(async () => unpack(), maximum) };
  }
  if (start.equals(ZIP)) {
    const { fileName } = await inArchive(file, async (_file, entry) => entry);
    return { name: basename(fileName), open: () => bounded(() => openEntry(file), maximum) };
  }
  return { name, open: () => file.read() };
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads unpacked bytes up to the maximum; an error of unpacking becomes one about the file. */
function bounded(unpack: () => Promise<Readable>, maximum: number): Readable {
  async function* bytes() {
    try {
      yield* limitBytes(await unpack(), maximum);
    } catch (error) {
      if (error instanceof FileError) throw error;
      throw new FileError(
        `The compressed file can't be unpacked: ${error instanceof Error ? error.message : error}.`,
      );
    }
  }
  return Readable.from(bytes());
}

/** Returns whether an entry of an archive is a bank file, and not a folder or what programs add, such as `__MACOSX/._statement.xml`. */
function isBankFile({ fileName }: Entry): boolean {
  return /\.(xml|csv)$/i.test(fileName) && !/(^|\/)[._]/.test(fileName) && !fileName.startsWith('__');
}

/** Calls a function with the only bank file of an archive. @throws FileError if the archive can't be read, or has no or several bank files */
async function inArchive<T>(
  delivered: Delivered,
  use: (file: ZipFile, entry: Entry) => Promise<T>,
): Promise<T> {
  try {
    const file = await delivered.openArchive();
    try {
      return await use(file, await soleEntry(file));
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`The archive can't be read: ${error instanceof Error ? error.message : error}.`);
  }
}

async function soleEntry(file: ZipFile): Promise<Entry> {
  if (file.entryCount > MAX_ENTRIES) throw new FileError(`The archive has more than ${MAX_ENTRIES} files.`);
  const found: Entry[] = [];
  for await (const entry of file.eachEntry()) if (isBankFile(entry)) found.push(entry);
  const [sole, ...others] = found;
  if (sole === undefined || others.length > 0)
    throw new FileError(`The archive must have one .xml or .csv file, and has ${found.length}.`);
  if (sole.isEncrypted()) throw new FileError('The archive is encrypted.');
  return sole;
}

/** Opens the only bank file of an archive. The archive is closed when the stream has been read. */
function openEntry(delivered: Delivered): Promise<Readable> {
  return inArchive(delivered, (file, entry) => file.openReadStreamPromise(entry));
}
