/**
 * Every statement of the service is a lookup by an index. A connection keeps the plan that it once made of a statement; one made while
 * the tables were small, as after a first start, would read the whole of them long after they have grown.
 */
export function byIndexes(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  for (const plan of ['seqscan', 'hashjoin', 'mergejoin']) url.searchParams.set(`enable_${plan}`, 'off');
  return url.href;
}
