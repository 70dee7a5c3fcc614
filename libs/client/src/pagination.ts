/** Lists of resources: one page, or all items of all pages. */
export interface Page<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/**
 * A list of resources. It is a promise of the first page, and `for await` iterates over every item of every page, newest first. The first
 * request is sent when the list is awaited or iterated over; every iteration reads the pages again.
 *
 * @example for await (const claim of carecover.claims.list({ status: 'queried' })) console.log(claim.id);
 */
export class List<T extends { readonly id: string }, Q extends { starting_after?: string }>
  extends Promise<Page<T>>
  implements AsyncIterable<T>
{
  private readonly settle: (page: Promise<Page<T>>) => void;
  private isRequested = false;

  constructor(
    private readonly query: Q,
    private readonly fetchPage: (query: Q) => Promise<Page<T>>,
  ) {
    let settle: (page: Promise<Page<T>>) => void = () => undefined;
    super((resolve) => {
      settle = resolve;
    });
    this.settle = settle;
  }

  /** `then`, `catch` and `finally` return a plain Promise, not a list. */
  static override get [Symbol.species]() {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: the first page is requested when the list is awaited
  override then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    if (!this.isRequested) this.settle(this.fetchPage(this.query));
    this.isRequested = true;
    return super.then(onPage, onError);
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
