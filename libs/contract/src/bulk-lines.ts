// Validation of the lines of the files of bulk jobs, by the same rules as the body of the operation that a line executes.
import type { TSchema } from 'typebox';
import { compileLazily } from './ajv';
import { checkBody } from './checks';
import { EligibilityCheckInput } from './inputs/benefits';
import { BulkRemittanceInput, ClaimAdjudicationInput, RecordedClaimInput } from './inputs/bulk-jobs';
import { SessionInput } from './inputs/care';
import { ClaimInput } from './inputs/claims';
import { SettlementInput } from './inputs/payments';
import type { OperationId } from './operations';
import type { Problem } from './operations/definition';
import { firstPerPointer, problem, toProblems } from './problem';
import type { BulkJobKind } from './resources/bulk-job';
import { findUnplainText } from './text';
import type { Checked } from './validators';

/** The valid lines of the files of each kind. */
export interface BulkLines {
  readonly claims: ClaimInput | RecordedClaimInput;
  readonly adjudications: ClaimAdjudicationInput;
  readonly remittances: BulkRemittanceInput;
  readonly settlements: SettlementInput;
  readonly sessions: SessionInput;
  readonly eligibility_checks: EligibilityCheckInput;
}

/** A valid line of a file. */
export type BulkLine = BulkLines[BulkJobKind];

/** The schemas of the lines of a kind, and the operation whose rules for several fields hold for a line. */
interface LineRules {
  readonly schemas: readonly [TSchema, ...TSchema[]];
  readonly operation: OperationId;
  /** Chooses the schema of a line by its position. */
  readonly schemaOf: (line: unknown) => number;
  /** Returns further problems of a line that fits its schema, which neither the schema nor the rules of the operation find. */
  readonly check: (line: Readonly<Record<string, unknown>>) => readonly Problem[];
}

const rules: Readonly<Record<BulkJobKind, LineRules>> = {
  claims: {
    schemas: [ClaimInput, RecordedClaimInput],
    operation: 'createClaim',
    schemaOf: (line) => (isRecordedClaim(line) ? 1 : 0),
    check: (line) => (isRecordedClaim(line) ? checkSession(line) : []),
  },
  adjudications: {
    schemas: [ClaimAdjudicationInput],
    operation: 'adjudicateClaim',
    schemaOf: () => 0,
    check: ({ claim_id, provider_claim_reference: reference }) =>
      (claim_id === undefined) === (reference === undefined)
        ? [
            problem(
              '/claim_id',
              'must be present if provider_claim_reference is absent, and otherwise absent',
            ),
          ]
        : [],
  },
  remittances: ruledAs('createRemittance', BulkRemittanceInput),
  settlements: ruledAs('createSettlement', SettlementInput),
  sessions: ruledAs('createSession', SessionInput),
  eligibility_checks: ruledAs('createEligibilityCheck', EligibilityCheckInput),
};

/** Returns the rules of lines that are bodies of an operation. */
function ruledAs(operation: OperationId, schema: TSchema): LineRules {
  return { schemas: [schema], operation, schemaOf: () => 0, check: () => [] };
}

function checkSession({ session }: { readonly session?: unknown }): readonly Problem[] {
  return checkBody('createSession', session as never, []).map(({ pointer, message }) =>
    problem(`/session${pointer}`, message),
  );
}

const PLAIN_TEXT = 'must not contain NUL or half a surrogate pair';

const validators = Object.fromEntries(
  Object.entries(rules).map(([kind, { schemas }]) => [kind, schemas.map(compileLazily)]),
) as Record<BulkJobKind, ReturnType<typeof compileLazily>[]>;

/** Returns whether a line of the kind `claims` has its session and check in place of their identifiers. */
export function isRecordedClaim(line: unknown): line is RecordedClaimInput {
  return (
    typeof line === 'object' &&
    line !== null &&
    (Object.hasOwn(line, 'session') || Object.hasOwn(line, 'eligibility_check'))
  );
}

/** Returns the schemas of the lines of a kind. */
export function bulkLineSchemas(kind: BulkJobKind): readonly [TSchema, ...TSchema[]] {
  return rules[kind].schemas;
}

/**
 * Validates a parsed line.
 *
 * @param earlier problems that the JSON reader found, such as a repeated name
 * @example validateBulkLine('adjudications', { claim_id: 'clm_1', … })
 */
export function validateBulkLine(
  kind: BulkJobKind,
  raw: unknown,
  earlier: readonly Problem[] = [],
): Checked<BulkLine> {
  const { operation, schemaOf, check } = rules[kind];
  const validate = validators[kind][schemaOf(raw)]?.();
  if (validate === undefined) throw new Error(`${kind} has no such schema`);
  const invalid: readonly Problem[] = validate(raw) ? [] : toProblems(validate.errors, '');
  const unplain =
    invalid.length > 0 ? [] : findUnplainText(raw).map((pointer) => problem(pointer, PLAIN_TEXT));
  const found = [...invalid, ...unplain];
  const line = raw as Readonly<Record<string, unknown>>;
  const [first, ...others] = firstPerPointer([
    ...earlier,
    ...found,
    ...checkBody(operation, raw as never, found),
    ...(found.length > 0 ? [] : check(line)),
  ]);
  return first === undefined
    ? { ok: true, value: raw as BulkLine }
    : { ok: false, problems: [first, ...others] };
}

/** Returns what names a line for its sender; null if it has no such text. Accepts any parsed JSON. */
export function referenceOfBulkLine(line: unknown): string | null {
  const fields = Object(line) as Record<string, unknown>;
  return REFERENCES.map((name) => shortText(fields[name])).find((each) => each !== null) ?? null;
}

/** The fields that name a line for its sender. A line of a kind has one of them, or two, of which the first names it. */
const REFERENCES = [
  'provider_claim_reference',
  'claim_id',
  'payer_reference',
  'source_reference',
  'external_reference',
] as const;

const LONGEST_REFERENCE = 200;

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= LONGEST_REFERENCE && findUnplainText(value).length === 0
    ? value
    : null;
}
