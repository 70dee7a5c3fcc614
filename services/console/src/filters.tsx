/** The forms that filter lists. Their values are in the address of the page. */
import { formatInstant, isPlainText, parseInstant } from '@carecover/contract';
import { FormReader, type RejectedForm } from './form-reader';
import { Problem, problemAttributes } from './forms';
import type { PageRequest } from './page';
import { choicesOf } from './words';

/**
 * A list of choices in a form that filters a list.
 *
 * @param id the ID of the field, if another field of the page has the name as its ID
 * @param all the words for no choice; absent if one is always chosen
 */
export function ChoiceFilter({
  name,
  id = name,
  label,
  options,
  all,
  query,
}: {
  name: string;
  id?: string;
  label: string;
  options: readonly (readonly [string, string])[];
  all?: string;
  query: URLSearchParams;
}) {
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {all !== undefined && <option value="">{all}</option>}
        {options.map(([value, words]) => (
          <option key={value} value={value} selected={value === query.get(name)}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}

interface FilterInputProps {
  readonly name: string;
  readonly placeholder: string;
  /** The filters of the address, with what is wrong with them. */
  readonly rejected: RejectedForm;
}

/** The input of a filter with what the address has, and what is wrong with it. */
function FilterInput({ name, placeholder, rejected }: FilterInputProps) {
  return (
    <>
      <input
        id={name}
        name={name}
        value={rejected.form.get(name) ?? ''}
        placeholder={placeholder}
        autocomplete="off"
        {...problemAttributes(rejected, name)}
      />
      <Problem rejected={rejected} name={name} />
    </>
  );
}

/** A field for a text in a form that filters a list. Its ID is its name. */
export function FilterField({ label, ...props }: FilterInputProps & { readonly label: string }) {
  return (
    <div class="field">
      <label for={props.name}>{label}</label>
      <FilterInput {...props} />
    </div>
  );
}

const ORDERS = [
  ['desc', 'newest first'],
  ['asc', 'oldest first'],
] as const;

/** The choice of a list's order, in its form. */
export function OrderFilter({ query }: { query: URLSearchParams }) {
  return <ChoiceFilter name="order" label="Order" options={ORDERS} query={query} />;
}

/** Returns the parameters of the API for the order of a list, and for the item after which a page begins, as the address has them. */
export function readPlace(query: URLSearchParams): {
  readonly order?: 'asc';
  readonly starting_after?: string;
} {
  const after = query.get('after');
  return {
    ...(query.get('order') === 'asc' ? { order: 'asc' } : {}),
    ...(after === null ? {} : { starting_after: after }),
  };
}

const DAYS = { from: 'Created from', until: 'until' } as const;

/** The lengths of a reference in the API, in characters. */
const REFERENCE = { min: 3, max: 200 } as const;

/** What a person has typed to filter a list: the parameters of the API, and what is wrong with a field, which then filters nothing. */
export interface ListFilter<Reference extends string = never> {
  readonly filters: { readonly created_after?: string; readonly created_before?: string } & {
    readonly [Name in Reference]?: string;
  };
  readonly rejected: RejectedForm;
}

/**
 * Reads from which day until which day the items of a list were created, both days included, and their reference.
 *
 * @param reference the API's parameter for the reference; absent if the list has none
 */
export function readListFilter<Reference extends string = never>(
  request: Pick<PageRequest, 'query' | 'project' | 'now'>,
  reference?: Reference,
): ListFilter<Reference> {
  const form = new FormReader(request.query, request);
  const sought = reference === undefined ? '' : form.text('reference');
  const length = [...sought].length;
  const isReference = length >= REFERENCE.min && length <= REFERENCE.max && isPlainText(sought);
  if (sought !== '' && !isReference)
    form.reject('reference', `must have ${REFERENCE.min} to ${REFERENCE.max} characters`);
  const from = form.instant('from', 'start', true, false);
  const until = form.instant('until', 'end', false, false);
  // The API excludes both instants.
  const moved = (at: string, ms: number) => formatInstant(parseInstant(at) + ms);
  return {
    filters: {
      ...(from === null ? {} : { created_after: moved(from, -1) }),
      ...(until === null ? {} : { created_before: moved(until, 1) }),
      ...(reference !== undefined && isReference ? { [reference]: sought } : {}),
    } as ListFilter<Reference>['filters'],
    rejected: form.rejected,
  };
}

/**
 * The form that filters a list by status, and if `filter` has what a person has typed, by the days of creation, and by a reference if `reference`
 * labels its field; and that orders it.
 *
 * @param address the path of the list's page
 */
export function StatusFilter({
  statuses,
  address,
  query,
  reference,
  filter,
  kept = {},
}: {
  statuses: readonly string[];
  address: string;
  query: URLSearchParams;
  reference?: string;
  filter?: ListFilter<string>;
  /** Other filters of the list that stay as they are. */
  kept?: Readonly<Record<string, string>>;
}) {
  return (
    <form class="filter" method="get" action={address}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <ChoiceFilter name="status" label="Status" all="all" options={choicesOf(statuses)} query={query} />
      {reference !== undefined && filter !== undefined && (
        <FilterField name="reference" label={reference} placeholder="" rejected={filter.rejected} />
      )}
      {filter !== undefined &&
        (['from', 'until'] as const).map((name) => (
          <span key={name} class="day-filter">
            <label for={name}>{DAYS[name]}</label>{' '}
            <FilterInput
              name={name}
              placeholder={name === 'from' ? '1 Nov 2026' : 'today'}
              rejected={filter.rejected}
            />
          </span>
        ))}
      <OrderFilter query={query} />
      <button type="submit">Show</button>
    </form>
  );
}
