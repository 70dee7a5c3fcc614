/** Lists of resources: one page, or all items of all pages. */
export interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/**
 * A list of resources. `await` returns the first page; `for await` iterates over every item of every page, newest first.
 *
 * @example for await (const claim of carecover.claims.list({ status: 'queried' })) console.log(claim.id);
 */
export class List<T extends { readonly id: string }, Q extends { starting_after?: string }>
  implements AsyncIterable<T>, PromiseLike<Page<T>>
{
  constructor(
    private readonly query: Q,
    private readonly fetchPage: (query: Q) => Promise<Page<T>>,
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns its first page
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.fetchPage(this.query).then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let query = this.query;
    for (;;) {
      const page = await this.fetchPage(query);
      yield* page.data;
      const last = page.data.at(-1);
      if (!page.has_more || last === undefined) return;
      query = { ...query, starting_after: last.id };
    }
  }
}
