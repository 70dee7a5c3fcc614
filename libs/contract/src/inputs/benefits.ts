// Request bodies for coverages, eligibility checks and pre-authorizations.

import { type Static, type TSchema, Type } from 'typebox';
import { exampleIdentifier } from '../identifiers';
import { BATCH_CONTRACT_VERSION, BATCH_RECORD_LIMIT, DECISION_EVIDENCE_LIMIT } from '../limits';
import { coverageStatuses } from '../resources/coverage';
import {
  boundedArray,
  boundedInteger,
  boundedString,
  closedObject,
  inputCurrency,
  inputInstant,
  moneyAmount,
  nullable,
  stringEnum,
} from '../schema';
import {
  bookingId,
  eligibilityCheckId,
  evidenceReference,
  memberReference,
  payerReference,
  reasonCode,
} from './fields';

const coverageFields = {
  tenant_reference: payerReference("The payer's reference of the insured group."),
  member_reference: payerReference("The payer's reference of the member. No response contains it."),
  service_code: payerReference('The service that is covered.'),
  plan_name: boundedString(1, 160, "The plan's name."),
  status: stringEnum('CoverageStatus', coverageStatuses, "The coverage's status at the payer."),
  currency: inputCurrency(),
  amount_limit: moneyAmount('The maximum covered amount per session.', 1),
  remaining_sessions: boundedInteger(0, 100_000, 'The number of remaining sessions at the payer.'),
  authorization_required: Type.Boolean({
    description: 'Whether a claim for a session requires a pre-authorization.',
  }),
  coordination_priority: nullable(
    boundedInteger(
      1,
      100,
      'Rank among the coverages of a member who is insured by more than one payer: 1 is primary; null is last.',
    ),
  ),
  valid_from: inputInstant('Start of the cover.'),
  valid_until: inputInstant('End of the cover, exclusive; after its start.'),
};

const exampleCoverage = {
  tenant_reference: 'group/nairobi-tech',
  member_reference: 'member:88123',
  service_code: 'psy.individual.50',
  plan_name: 'Outpatient Plus',
  status: 'active',
  currency: 'KES',
  amount_limit: 400000,
  remaining_sessions: 12,
  authorization_required: true,
  coordination_priority: 1,
  valid_from: '2025-01-01T00:00:00Z',
  valid_until: '2100-01-01T00:00:00Z',
};

export const CoverageInput = closedObject(
  'CoverageInput',
  'The state of a coverage as the payer observed it.',
  {
    source_contract_reference: payerReference("The payer's contract. Amounts by payer are grouped by it."),
    external_coverage_reference: payerReference("The payer's reference of the coverage."),
    source_version: boundedString(1, 120, "The payer's version of this observation."),
    ...coverageFields,
    observed_at: inputInstant('When the payer observed this state; not in the future.'),
    evidence_references: boundedArray(
      payerReference('A reference.'),
      1,
      20,
      'The sources of the observation.',
    ),
  },
  {
    source_contract_reference: 'contract/2025',
    external_coverage_reference: 'coverage-4711',
    source_version: '7',
    ...exampleCoverage,
    observed_at: '2025-02-01T06:00:00Z',
    evidence_references: ['registry/extract-18'],
  },
);
export type CoverageInput = Static<typeof CoverageInput>;

const exampleRecord = { coverage_reference: 'coverage-4711', record_version: '7', ...exampleCoverage };

export const CoverageBatchRecord = closedObject(
  'CoverageBatchRecord',
  'The observation of one coverage in a batch.',
  {
    coverage_reference: payerReference("The payer's reference of the coverage."),
    record_version: boundedString(1, 120, "The payer's version of this observation."),
    ...coverageFields,
  },
  exampleRecord,
);
export type CoverageBatchRecord = Static<typeof CoverageBatchRecord>;

export const CoverageBatchInput = closedObject(
  'CoverageBatchInput',
  'Observations of many coverages. Either all are recorded or none.',
  {
    contract_version: Type.Literal(BATCH_CONTRACT_VERSION, { description: 'The version of this format.' }),
    batch_reference: payerReference("The payer's reference of the batch."),
    source_contract_reference: payerReference("The payer's contract. Amounts by payer are grouped by it."),
    batch_version: boundedString(1, 120, "The payer's version of the batch."),
    generated_at: inputInstant('When the payer created the batch; the `observed_at` of its observations.'),
    records: boundedArray(CoverageBatchRecord, 1, BATCH_RECORD_LIMIT, 'The observations.'),
  },
  {
    contract_version: BATCH_CONTRACT_VERSION,
    batch_reference: 'batch-2025-02-01',
    source_contract_reference: 'contract/2025',
    batch_version: '1',
    generated_at: '2025-02-01T06:00:00Z',
    records: [exampleRecord],
  },
);
export type CoverageBatchInput = Static<typeof CoverageBatchInput>;

export const EligibilityCheckInput = closedObject(
  'EligibilityCheckInput',
  'A session whose cover is checked: a future one, or with `retrospective` also one of the past.',
  {
    member_reference: memberReference(),
    service_code: boundedString(1, 100, 'The service.', { pattern: '^[A-Za-z0-9:._/-]+$' }),
    scheduled_at: inputInstant('Start of the session; in the future, unless the check is retrospective.'),
    amount: moneyAmount('The price of the session.', 1),
    currency: inputCurrency(),
    retrospective: Type.Optional(
      Type.Boolean({
        description:
          'Whether scheduled_at can be in the past. Such a check is decided on the coverage as it took effect at scheduled_at and as it is known now. The remaining sessions are those of now.',
        default: false,
      }),
    ),
  },
  {
    member_reference: 'member:88123',
    service_code: 'psy.individual.50',
    scheduled_at: '2099-03-02T10:00:00+03:00',
    amount: 350000,
    currency: 'KES',
  },
);
export type EligibilityCheckInput = Static<typeof EligibilityCheckInput>;

export const PreauthorizationInput = closedObject(
  'PreauthorizationInput',
  'A covered booking with its eligibility check, whose status is `eligible`.',
  { eligibility_check_id: eligibilityCheckId(), booking_id: bookingId() },
  { eligibility_check_id: exampleIdentifier('eligibilityCheck'), booking_id: exampleIdentifier('booking') },
);
export type PreauthorizationInput = Static<typeof PreauthorizationInput>;

const decisionFields = {
  reason_codes: boundedArray(reasonCode(), 1, 32, 'The reasons of the decision.'),
  policy_reference: boundedString(3, 200, "The payer's reference of the applied rule.", {
    pattern: '^[A-Za-z][A-Za-z0-9:_-]+$',
  }),
  policy_version: boundedString(1, 100, 'The version of the applied rule.'),
  evidence_references: boundedArray(
    evidenceReference(),
    1,
    DECISION_EVIDENCE_LIMIT.input,
    'The evidence for the decision.',
  ),
};

const exampleDecision = {
  reason_codes: ['within_policy'],
  policy_reference: 'policy:outpatient',
  policy_version: '2025.1',
  evidence_references: ['referral:8812'],
};

export const PreauthorizationApproval = closedObject(
  'PreauthorizationApproval',
  'An approval. It reserves one session of the benefit at once.',
  {
    outcome: Type.Literal('approved', { description: 'The decision.' }),
    approved_amount: moneyAmount('The approved amount, at most the requested amount.', 1),
    valid_until: inputInstant('When the approval expires; in the future.'),
    ...decisionFields,
  },
  { outcome: 'approved', approved_amount: 350000, valid_until: '2099-04-01T00:00:00Z', ...exampleDecision },
);
export type PreauthorizationApproval = Static<typeof PreauthorizationApproval>;

export const PreauthorizationDenial = closedObject(
  'PreauthorizationDenial',
  'A denial. The benefit remains available.',
  { outcome: Type.Literal('denied', { description: 'The decision.' }), ...decisionFields },
  { outcome: 'denied', ...exampleDecision, reason_codes: ['not_medically_necessary'] },
);
export type PreauthorizationDenial = Static<typeof PreauthorizationDenial>;

export type PreauthorizationDecisionInput = PreauthorizationApproval | PreauthorizationDenial;
export const PreauthorizationDecisionInput = Type.Unsafe<PreauthorizationDecisionInput>({
  title: 'PreauthorizationDecisionInput',
  description: 'An approval or a denial, determined by `outcome`. All fields are required.',
  type: 'object',
  discriminator: { propertyName: 'outcome' },
  oneOf: [PreauthorizationApproval, PreauthorizationDenial],
} as TSchema);
