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

async function readNames(
  { calls, project }: PageRequest,
  service: 'care' | 'benefits',
  path: string,
  ids: readonly string[],
): Promise<Names> {
  const body = { ids: [...new Set(ids)] };
  if (body.ids.length === 0) return new Map();
  const found = await calls.readIfAvailable<{ readonly data: readonly { id: string; name: string }[] }>(
    service,
    project,
    path,
    body,
  );
  return new Map((found?.data ?? []).map(({ id, name }) => [id, name]));
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
  if (claimIds.length === 0) return new Map();
  const { calls, project } = request;
  const found = await calls.readIfAvailable<{ readonly data: readonly Parties[] }>(
    'claims',
    project,
    '/claims/parties',
    { ids: claimIds },
  );
  const parties = found?.data ?? [];
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
