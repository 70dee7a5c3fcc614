/** Connects CLI commands to the API, as a client with a secret key. */
import { readFile } from 'node:fs/promises';
import { Carecover, CarecoverConnectionError, CarecoverError } from '@carecover/client';
import { parseUrl } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { InvalidArgumentError } from 'commander';
import { Agent, fetch as undiciFetch } from 'undici';
import type { CommandContext } from './command-context';
import { findDefaultStack } from './connection-settings';

/** Parses the value of a command's URL option. @throws InvalidArgumentError if the text is no http or https URL */
export function parseUrlOption(text: string): string {
  if (!/^https?:$/.test(parseUrl(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('Expected a URL that starts with http:// or https://.');
  }
  return text;
}

/**
 * Creates a client of the API at the given URL. Without a URL, it uses the API of the local stack. The local stack's key is used only for
 * the local stack's own URL.
 *
 * @param scope the scope that the secret key needs; an error message names it
 * @throws OperatorError if no secret key or no URL is given and the local stack does not provide it, or if one of them is invalid
 */
export async function connectApi(
  context: CommandContext,
  given: string | undefined,
  scope: string,
): Promise<Carecover> {
  const stack = await findDefaultStack(context.env);
  const baseUrl = given ?? stack?.base_url;
  const isLocal = stack !== null && baseUrl === stack.base_url;
  const apiKey = context.env.CARECOVER_SECRET_KEY || (isLocal ? stack.secret_key : undefined);
  if (apiKey === undefined || baseUrl === undefined) {
    throw new OperatorError(
      `Set CARECOVER_SECRET_KEY to a key with the scope ${scope} and pass --base-url, or run a local stack with "npm start".`,
    );
  }
  const dispatcher = new Agent(isLocal ? { connect: { ca: await readFile(stack.ca_certificate) } } : {});
  try {
    return new Carecover({
      apiKey,
      baseUrl,
      // The client uses the `fetch` of the package undici, because only it accepts a certificate authority per client. Its type differs
      // from the type of Node's `fetch`.
      fetch: ((url: string, init: object) =>
        undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new OperatorError(
      `${error.message}. Correct CARECOVER_SECRET_KEY, which is apiKey, or --base-url, which is baseUrl.`,
    );
  }
}

/** Calls the API. @throws OperatorError with the message of an error of the API or of the connection, and those of {@link connectApi} */
export async function withApi<T>(
  context: CommandContext,
  baseUrl: string | undefined,
  scope: string,
  work: (client: Carecover) => Promise<T>,
): Promise<T> {
  const client = await connectApi(context, baseUrl, scope);
  try {
    return await work(client);
  } catch (error) {
    if (!(error instanceof CarecoverError || error instanceof CarecoverConnectionError)) throw error;
    throw new OperatorError(error.message);
  }
}

/** The option with the URL of the API. */
export const BASE_URL = [
  '--base-url <url>',
  "the API's URL, such as https://api.example.com/v1",
  parseUrlOption,
] as const;
