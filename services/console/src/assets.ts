/**
 * The files in `assets/`: stylesheet, icon and scripts, and those of the picture of two times. They are compressed once, at the start. Their
 * addresses contain a hash of the content, so browsers keep them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createStaticResponse, type StaticResponse, sendStaticResponse } from '@carecover/http';
import { readAssets } from '@carecover/two-times/assets';
import type { Context } from 'koa';

const FOLDER = join(__dirname, '../assets');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

export class Assets {
  private readonly files = new Map<string, StaticResponse>();
  private readonly addresses = new Map<string, string>();

  constructor() {
    const own = readdirSync(FOLDER).map((name) => ({ name, content: readFileSync(join(FOLDER, name)) }));
    for (const { name, content } of [...own, ...readAssets()]) {
      const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
      const address = `/assets/${hash}/${name}`;
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      this.files.set(address, createStaticResponse({ type, content, headers: HEADERS }));
      this.addresses.set(name, address);
    }
  }

  /** Returns the address of a file. @throws Error if there is no such file */
  readonly address = (name: string): string => {
    const address = this.addresses.get(name);
    if (address === undefined) throw new Error(`assets/ has no file ${name}`);
    return address;
  };

  /** Responds with the file, if the request's path is that of a file. Otherwise returns false, and the response is not changed. */
  serve(ctx: Context): boolean {
    const file = this.files.get(ctx.path);
    if (file === undefined) return false;
    sendStaticResponse(ctx, file);
    return true;
  }
}
