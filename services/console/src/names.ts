/**
 * The names of practitioners and payers, which the services keep apart from claims.
 *
 * Failure policy: while a service is unavailable, the names are missing and the page is shown without them.
 */
import type { PageRequest } from './page';

interface Parties {
  readonly claim_id: string;
  readonly name: string;
  readonly practitioner_id: string;
  readonly payer_id: string;
}

/** The names of a claim: its invoice, its practitioner and its payer. A name is missing if its service is unavailable or the payer was erased. */
export interface NamedParties {
  readonly name: string;
  readonly practitionerId: string;
  readonly practitioner: string | undefined;
  readonly payer: string | undefined;
}

type Names = ReadonlyMap<string, string>;

/** How many IDs the routes of names read at once. */
const IDS_AT_ONCE = 200;

/** Reads what a route returns for IDs, in groups one after the other. What an unavailable service would return is missing. */
async function readByIds<T>(
  { calls, project }: PageRequest,
  service: 'care' | 'benefits' | 'claims',
  path: string,
  ids: readonly string[],
): Promise<T[]> {
  const asked = [...new Set(ids)];
  const read: T[] = [];
  for (let start = 0; start < asked.length; start += IDS_AT_ONCE) {
    const body = { ids: asked.slice(start, start + IDS_AT_ONCE) };
    const found = await calls.readIfAvailable<{ readonly data: readonly T[] }>(service, project, path, body);
    if (found === null) break;
    read.push(...found.data);
  }
  return read;
}

async function readNames(
  request: PageRequest,
  service: 'care' | 'benefits',
  path: string,
  ids: readonly string[],
): Promise<Names> {
  const found = await readByIds<{ id: string; name: string }>(request, service, path, ids);
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Reads the names of practitioners by ID. */
export function readPractitioners(request: PageRequest, ids: readonly string[]): Promise<Names> {
  return readNames(request, 'care', '/practitioners/names', ids);
}

/** Reads the practitioner and the payer of each claim, by claim ID. */
export async function readParties(
  request: PageRequest,
  claimIds: readonly string[],
): Promise<ReadonlyMap<string, NamedParties>> {
  const parties = await readByIds<Parties>(request, 'claims', '/claims/parties', claimIds);
  const [practitioners, payers] = await Promise.all([
    readPractitioners(
      request,
      parties.map(({ practitioner_id }) => practitioner_id),
    ),
    readNames(
      request,
      'benefits',
      '/payers/names',
      parties.map(({ payer_id }) => payer_id),
    ),
  ]);
  return new Map(
    parties.map(({ claim_id, name, practitioner_id, payer_id }) => [
      claim_id,
      {
        name,
        practitionerId: practitioner_id,
        practitioner: practitioners.get(practitioner_id),
        payer: payers.get(payer_id),
      },
    ]),
  );
}
