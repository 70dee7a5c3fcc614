/** Finds a resource by its ID or by its reference, in any project. */
import { type IdentifierKind, isIdentifier, referenceSearchKey, type ServiceName } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import { type Found, findByReference, findOfAnyProject } from '@carecover/postgres';
import { type CommandContext, withServiceDatabase } from './command-context';
import { operatorCallers } from './operator-calls';

/** The kinds of resources that can be shown, with the column of the normal form in which their references are searched. */
const KINDS = {
  claim: { service: 'claims', table: 'claims', column: 'provider_claim_reference_search' },
  remittance: { service: 'payments', table: 'remittances', column: 'payer_reference_search' },
  settlement: { service: 'payments', table: 'settlements', column: 'source_reference_search' },
  preauthorization: { service: 'benefits', table: 'preauthorizations', column: null },
  eligibilityCheck: { service: 'benefits', table: 'eligibility_checks', column: null },
  booking: { service: 'care', table: 'bookings', column: null },
  session: { service: 'care', table: 'sessions', column: null },
  webhookEndpoint: { service: 'webhooks', table: 'endpoints', column: null },
  event: { service: 'webhooks', table: 'events', column: null },
} as const satisfies Partial<
  Record<
    IdentifierKind,
    { readonly service: ServiceName; readonly table: string; readonly column: string | null }
  >
>;
export type ShownKind = keyof typeof KINDS;

const SHOWN_KINDS = Object.keys(KINDS) as ShownKind[];

export interface FoundResource extends Found {
  readonly kind: ShownKind;
  /** The caller with which the CLI calls services about the resource: the operator, in the resource's project. */
  readonly caller: Caller;
}

/**
 * Finds a resource by ID or reference. If a project is given, the text is searched as a reference first, because it can look like an ID.
 *
 * @param text the ID; or a claim's, remittance's or settlement's reference
 * @param kinds the kinds of resources to search; all if omitted
 * @throws OperatorError if no resource is found, or if several resources have the reference
 */
export async function findResource(
  context: CommandContext,
  text: string,
  project: string | undefined,
  kinds: readonly ShownKind[] = SHOWN_KINDS,
): Promise<FoundResource> {
  const callers = await operatorCallers(context, project);
  const kind = kinds.find((each) => isIdentifier(each, text));
  const byId = async () => (kind === undefined ? [] : await findById(context, callers, kind, text));
  const byReference = () => findAllByReference(context, callers, kinds, text);
  let found = project === undefined ? await byId() : await byReference();
  if (found.length === 0 && (project !== undefined || kind === undefined))
    found = project === undefined ? await byReference() : await byId();
  const [sole, ...others] = found;
  if (sole === undefined) {
    const where = project === undefined ? '' : ` in ${project}`;
    throw new OperatorError(`There is no resource with the ID or reference ${text}${where}.`);
  }
  if (others.length > 0) {
    const lines = found.map(({ id, tenant }) => `  ${id} of ${tenant}`);
    throw new OperatorError(`Several resources have the reference ${text}. Use an ID:\n${lines.join('\n')}`);
  }
  return sole;
}

function withCallers(kind: ShownKind, callers: readonly Caller[], found: readonly Found[]): FoundResource[] {
  return found.flatMap((each) =>
    callers.filter(({ tenant }) => tenant === each.tenant).map((caller) => ({ ...each, kind, caller })),
  );
}

async function findById(
  context: CommandContext,
  callers: readonly Caller[],
  kind: ShownKind,
  id: string,
): Promise<FoundResource[]> {
  const found = await withServiceDatabase(context, KINDS[kind].service, null, (sql) =>
    findOfAnyProject(sql, KINDS[kind], id),
  );
  return withCallers(kind, callers, found === undefined ? [] : [found]);
}

async function findAllByReference(
  context: CommandContext,
  callers: readonly Caller[],
  kinds: readonly ShownKind[],
  reference: string,
): Promise<FoundResource[]> {
  const tenants = callers.map(({ tenant }) => tenant);
  const found: FoundResource[] = [];
  for (const kind of kinds) {
    const { service, table, column } = KINDS[kind];
    if (column === null) continue;
    const rows = await withServiceDatabase(context, service, null, (sql) =>
      findByReference(sql, { table, column }, tenants, referenceSearchKey(reference)),
    );
    found.push(...withCallers(kind, callers, rows));
  }
  return found;
}
