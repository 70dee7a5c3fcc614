/** Reads the parameters of a query string in a time that grows linearly with its length. Koa's `ctx.query` takes quadratic time. */
import { type Checked, problem } from '@carecover/contract';

/** Maximum number of parameters in a query. No operation has more than ten. */
const MAX_QUERY_PARAMETERS = 50;

/** The values by parameter name; an array for each repeated parameter. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads a query string as `ctx.query` of Koa does: names and values are decoded as in a form. The result is a problem at `/query` if
 * there are more than 50 parameters.
 *
 * @param queryString the query without its question mark
 * @example readQueryParameters('a=1&b=2&b=3') // { ok: true, value: { a: '1', b: ['2', '3'] } }
 */
export function readQueryParameters(queryString: string): Checked<QueryParameters> {
  const values = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(queryString)) {
    if (++count > MAX_QUERY_PARAMETERS) {
      const tooMany = problem('/query', `must have at most ${MAX_QUERY_PARAMETERS} parameters`);
      return { ok: false, problems: [tooMany] };
    }
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, value);
    else if (typeof earlier === 'string') values.set(name, [earlier, value]);
    else earlier.push(value);
  }
  // `Object.fromEntries` defines own properties, also for the name __proto__.
  return { ok: true, value: Object.fromEntries(values) };
}
