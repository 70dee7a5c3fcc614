/**
 * Files that the pages load. Each address carries a hash of the content, so a browser may keep it for ever, and a release that
 * changes a file changes its address.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { GUIDES_FOLDER } from './guides-folder';
import { hashOf, type StaticAnswer, staticAnswer } from './static-answer';

export interface Assets {
  /** By their addresses. */
  readonly answers: ReadonlyMap<string, StaticAnswer>;
  /** The address of a file by its name. @throws RangeError where there is none */
  address(name: string): string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** Beside `src` and `dist`, so that both find it. */
const OWN_FOLDER = join(__dirname, '../../assets');

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Reads every file; missing ones are a broken installation. @throws Error where a file can't be read */
export function readAssets(prefix: string): Assets {
  const files = [
    ...filesIn(OWN_FOLDER),
    ...filesIn(join(GUIDES_FOLDER, 'pictures')),
    require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    require.resolve('swagger-ui-dist/swagger-ui.css'),
  ];
  const addresses = new Map<string, string>();
  const answers = new Map<string, StaticAnswer>();
  for (const file of files) {
    const bytes = readFileSync(file);
    const name = basename(file);
    const extension = extname(name);
    const type = TYPES[extension];
    if (type === undefined) throw new RangeError(`no media type for ${name}`);
    const address = `${prefix}/${basename(name, extension)}.${hashOf(bytes)}${extension}`;
    addresses.set(name, address);
    answers.set(
      address,
      staticAnswer(type, bytes, {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // Pictures have their dark colours in a style of their own.
        'Content-Security-Policy': `default-src 'none'${extension === '.svg' ? "; style-src 'unsafe-inline'" : ''}`,
      }),
    );
  }
  return {
    answers,
    address(name) {
      const address = addresses.get(name);
      if (address === undefined) throw new RangeError(`no asset ${name}`);
      return address;
    },
  };
}
