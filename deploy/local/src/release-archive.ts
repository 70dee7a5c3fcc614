/**
 * Downloads executables in the release archive of a software project such as Temporal, and checks the archive against the checksums file
 * of the same release.
 *
 * If the release host is slow or unavailable, or the checksum is wrong, the archive is not used and the calling code builds the
 * executable. A response must begin within `responseMs`, no pause in it may be longer, and its size is bounded.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { basename, join } from 'node:path';
import type { Report } from '../process/progress.cjs';
import { MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { runTool } from './run-tool';

const ARCHIVE_BYTES = 500 * MEGABYTE;
const CHECKSUMS_BYTES = MEGABYTE;
const ARCHIVE_MS = 10 * 60_000;
const MAX_REDIRECTS = 5;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export interface ReleaseArchive {
  /** Owner and name of the repository on the release host. */
  repository: string;
  tag: string;
  /** File name of the archive, a gzipped tar file. */
  archive: string;
  /** File name of the list of SHA-256 checksums in the format of sha256sum. */
  checksums: string;
  /** Paths of the executables in the archive. */
  members: readonly string[];
}

export interface ReleaseHost {
  url: URL;
  /** Maximum time in milliseconds until a response begins, and between two parts of it. */
  responseMs: number;
}

/** Thrown if an archive can't be used. The message completes the sentence "its release archive can't be used: …". */
export class ReleaseUnavailable extends Error {}

/**
 * Returns the release host that the setting CARECOVER_RELEASES names, by default GitHub. Returns undefined if CARECOVER_OFFLINE is 1.
 *
 * @throws StartFailure if a setting is invalid
 */
export function releaseHost(env: NodeJS.ProcessEnv, responseMs: number): ReleaseHost | undefined {
  const offline = env.CARECOVER_OFFLINE ?? '';
  if (!['', '0', '1'].includes(offline)) {
    throw new StartFailure('CARECOVER_OFFLINE must be 1, which fetches no release archives, or 0.');
  }
  if (offline === '1') return undefined;
  const text = env.CARECOVER_RELEASES ?? '';
  const url = parseUrl(text === '' ? 'https://github.com' : text);
  if (url === undefined || !isTrustworthy(url)) {
    throw new StartFailure(
      'CARECOVER_RELEASES must be an https URL, under which release archives have the paths that they have on https://github.com.',
    );
  }
  return { url, responseMs };
}

/**
 * Fetches an archive, checks it, and writes its executables into a folder under their own names. The folder must be empty, and its
 * content must not be used if the function throws.
 *
 * @throws ReleaseUnavailable if the archive can't be fetched or its checksum is wrong
 */
export async function fetchReleaseArchive(
  release: ReleaseArchive,
  host: ReleaseHost,
  folder: string,
  report: Report,
): Promise<void> {
  const file = join(folder, release.archive);
  const expected = await fetchChecksum(release, host);
  const actual = await download(urlOf(release, release.archive, host), host, file, report);
  if (actual !== expected) {
    throw new ReleaseUnavailable(
      `the SHA-256 of ${release.archive} is ${actual}, but ${release.checksums} of ${release.tag} has ${expected}`,
    );
  }
  const unpacked = join(folder, 'unpacked');
  try {
    await mkdir(unpacked);
    await runTool('tar', ['-xzf', file, '-C', unpacked, ...release.members], { env: process.env });
    for (const member of release.members) {
      const executable = join(folder, basename(member));
      await rename(join(unpacked, member), executable);
      await chmod(executable, 0o755);
    }
    await rm(unpacked, { recursive: true });
    await rm(file);
  } catch (cause) {
    throw new ReleaseUnavailable(
      `${release.archive} can't be unpacked: ${cause instanceof Error ? cause.message.replaceAll('\n', ' ') : cause}`,
      { cause },
    );
  }
}

function urlOf(release: ReleaseArchive, file: string, host: ReleaseHost): URL {
  const base = host.url.href.replace(/\/$/, '');
  return new URL(`${base}/${release.repository}/releases/download/${release.tag}/${file}`);
}

async function fetchChecksum(release: ReleaseArchive, host: ReleaseHost): Promise<string> {
  const url = urlOf(release, release.checksums, host);
  const parts: Buffer[] = [];
  const limits = { bytes: CHECKSUMS_BYTES, ms: host.responseMs };
  await readResponse(url, host, limits, async (part) => void parts.push(part));
  for (const line of Buffer.concat(parts).toString().split('\n')) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](?:\.\/)?(\S+)\s*$/i.exec(line) ?? [];
    if (sum !== undefined && name === release.archive) return sum.toLowerCase();
  }
  throw new ReleaseUnavailable(`${release.checksums} of ${release.tag} does not have ${release.archive}`);
}

/** Writes the response into a file and returns the SHA-256 digest of the written bytes. */
async function download(url: URL, host: ReleaseHost, path: string, report: Report): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'w', 0o600);
  let received = 0;
  try {
    const limits = { bytes: ARCHIVE_BYTES, ms: ARCHIVE_MS };
    await readResponse(url, host, limits, async (part, length) => {
      hash.update(part);
      await file.writeFile(part);
      received += part.length;
      const of = length === undefined ? '' : ` of ${Math.round(length / MEGABYTE)}`;
      report(`${Math.round(received / MEGABYTE)}${of} MB`);
    });
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

type Receive = (part: Buffer, contentLength: number | undefined) => Promise<void>;

async function readResponse(
  url: URL,
  host: ReleaseHost,
  limits: { bytes: number; ms: number },
  receive: Receive,
): Promise<void> {
  const signal = AbortSignal.timeout(limits.ms);
  try {
    const response = await follow(url, host, signal);
    const length = Number(response.headers['content-length'] ?? Number.NaN);
    let received = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      received += part.length;
      // The exception ends the iteration over the response, which closes the connection.
      if (received > limits.bytes || length > limits.bytes) {
        throw new ReleaseUnavailable(`${url.href} is larger than ${limits.bytes / MEGABYTE} MB`);
      }
      await receive(part, Number.isNaN(length) ? undefined : length);
    }
  } catch (cause) {
    if (cause instanceof ReleaseUnavailable) throw cause;
    const reason = signal.aborted ? `not complete after ${limits.ms / 1000} s` : reasonOf(cause);
    throw new ReleaseUnavailable(`${url.href} can't be fetched: ${reason}`, { cause });
  }
}

async function follow(start: URL, host: ReleaseHost, signal: AbortSignal): Promise<IncomingMessage> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url, host, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.destroy();
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
      throw new ReleaseUnavailable(`${url.href} responds with status ${statusCode}`);
    }
    const next = parseUrl(headers.location, url);
    if (next === undefined || !isTrustworthy(next)) {
      throw new ReleaseUnavailable(`${url.href} redirects to ${headers.location}, which is not https`);
    }
    url = next;
  }
  throw new ReleaseUnavailable(`${start.href} redirects more than ${MAX_REDIRECTS} times`);
}

/** Sends a GET request. The response ends with an error if nothing is received for `responseMs`. */
function request(url: URL, { responseMs }: ReleaseHost, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    let current: IncomingMessage | undefined;
    const sent = get(url, { signal, timeout: responseMs, agent: false }, (response) => {
      current = response;
      resolve(response);
    });
    sent.once('error', reject).once('timeout', () => {
      const error = new Error(`no response for ${responseMs / 1000} s`);
      current?.destroy(error);
      sent.destroy(error);
    });
  });
}

function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns whether the URL uses https or names this machine. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : message;
}
