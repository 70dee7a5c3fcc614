/** The query parameters of lists. */
export interface PageQuery {
  /** The number of items per page, 1 to 100. Default 20. */
  readonly limit?: number;
  /** The ID of an item: the page starts after this item. */
  readonly starting_after?: string;
}

export interface CreatedQuery extends PageQuery {
  /** Selects resources that were created after this instant, exclusive; RFC 3339. */
  readonly created_after?: string;
  /** Selects resources that were created before this instant, exclusive; RFC 3339. */
  readonly created_before?: string;
  /** The order by creation: `asc` is oldest first. By default `desc`. */
  readonly order?: 'asc' | 'desc';
}

export interface StatusQuery<S extends string> extends CreatedQuery {
  readonly status?: S;
}
