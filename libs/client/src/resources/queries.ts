/** By what lists can be narrowed. */
export interface PageQuery {
  /** Items a page, 1 to 100; 20 where it is not given. */
  readonly limit?: number;
  /** Continues after the item with this id. */
  readonly starting_after?: string;
}

export interface CreatedQuery extends PageQuery {
  /** Exclusive; ISO 8601. */
  readonly created_after?: string;
  /** Exclusive; ISO 8601. */
  readonly created_before?: string;
}

export interface StatusQuery<S extends string> extends CreatedQuery {
  readonly status?: S;
}
