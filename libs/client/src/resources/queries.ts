/** The query parameters of lists. */
export interface PageQuery {
  /** The number of items per page, 1 to 100. Default 20. */
  readonly limit?: number;
  /** Continues after the item with this id. */
  readonly starting_after?: string;
}

export interface CreatedQuery extends PageQuery {
  /** Exclusive; RFC 3339. */
  readonly created_after?: string;
  /** Exclusive; RFC 3339. */
  readonly created_before?: string;
}

export interface StatusQuery<S extends string> extends CreatedQuery {
  readonly status?: S;
}
