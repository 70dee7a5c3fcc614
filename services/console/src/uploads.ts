/**
 * Reads forms, also those with a file, and keeps uploaded files between the page that shows what a file would do and the confirmation.
 *
 * Failure policy: a form or a file that is too long is rejected after its rest was read and dropped, so that the browser shows the reason. Files
 * are in the memory of one process for half an hour, bounded in total: the oldest are dropped first, and the person chooses the file again.
 */
import { createHash } from 'node:crypto';
import { ApiError } from '@carecover/domain';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { readBody } from './request-body';

const MAX_FORM_BYTES = 256 * 1024;
/** Maximum number of bytes of an uploaded file; the payments service has the same maximum. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_MS = 30 * 60_000;
const MAX_NAME_LENGTH = 200;

/** The name of the field with the digest of an uploaded file. */
const DIGEST = 'upload';

/** Reads the fields of a form without a file. @throws ApiError payload_too_large */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  const body = await readBody(ctx, MAX_FORM_BYTES, 'The form');
  return new URLSearchParams(body.toString('utf8'));
}

/** The files that people have uploaded, by session and digest. */
export class Uploads {
  private readonly files = new LRUCache<string, Buffer>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: (file) => file.length,
    ttl: KEPT_MS,
    ttlAutopurge: true,
  });

  /**
   * Reads a form that can have a file. The file's field gets its name, and the field `upload` the digest under which the file is kept.
   *
   * @param sessionId the session to which the file belongs
   * @throws ApiError payload_too_large; validation_failed if the body is no form
   */
  async readForm(ctx: Context, sessionId: string): Promise<URLSearchParams> {
    if (!ctx.is('multipart/form-data')) return readForm(ctx);
    const what = `A file of more than ${MAX_FILE_BYTES / 1024 / 1024} MiB can be imported with the command line only. The file`;
    const body = await readBody(ctx, MAX_FILE_BYTES + MAX_FORM_BYTES, what);
    const form = new URLSearchParams();
    for (const [name, value] of await fieldsOf(ctx, body)) {
      if (typeof value === 'string') form.append(name, value);
      else if (value.size > 0) {
        const bytes = Buffer.from(await value.arrayBuffer());
        const digest = createHash('sha256').update(bytes).digest('hex');
        this.files.set(`${sessionId} ${digest}`, bytes);
        form.set(name, value.name.replaceAll('\0', '').slice(-MAX_NAME_LENGTH).toWellFormed());
        form.set(DIGEST, digest);
      }
    }
    return form;
  }

  /** Returns the file that a form names; null if it names none, or the file is not kept any more. */
  fileOf(form: URLSearchParams, sessionId: string): Buffer | null {
    return this.files.get(`${sessionId} ${form.get(DIGEST)}`) ?? null;
  }
}

async function fieldsOf(ctx: Context, body: Buffer): Promise<FormData> {
  try {
    return await new Response(Uint8Array.from(body), {
      headers: { 'content-type': ctx.get('content-type') },
    }).formData();
  } catch {
    throw new ApiError('validation_failed', 'The form can’t be read. Send it again.');
  }
}
