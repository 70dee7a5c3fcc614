/** Reads which method of the client for TypeScript calls which operation. The clients for other languages have the same names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './docs-pages';

const RESOURCES = join(ROOT, 'libs/client/src/resources');

/** Returns the methods of the TypeScript client by operation, such as `claims.submit` for `createClaim`. */
function readClientMethods(): ReadonlyMap<string, string> {
  const methods = new Map<string, string>();
  for (const file of readdirSync(RESOURCES)) {
    let group = '';
    let method = '';
    for (const line of readFileSync(join(RESOURCES, file), 'utf8').split('\n')) {
      group = /^export const (\w+) = \(transport/.exec(line)?.[1] ?? group;
      method = /^ {2}(\w+): (?:async )?\(/.exec(line)?.[1] ?? method;
      const operation =
        /transport\.(?:call|list)\(\s*'(\w+)'/.exec(line)?.[1] ?? /^ {4,8}'(\w+)',$/.exec(line)?.[1];
      if (operation !== undefined) methods.set(operation, `${group}.${method}`);
    }
  }
  return methods;
}

/** The methods by the IDs of their operations. */
export const clientMethods = readClientMethods();
