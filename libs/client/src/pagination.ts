/** Lists: one page as an object, or all of them by `for await`. */
export interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/** The first page when awaited; every item of every page, newest first, when iterated. */
export class List<T extends { readonly id: string }, Q extends { starting_after?: string }>
  implements AsyncIterable<T>, PromiseLike<Page<T>>
{
  constructor(
    private readonly query: Q,
    private readonly fetchPage: (query: Q) => Promise<Page<T>>,
  ) {}

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page, as a call can
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
