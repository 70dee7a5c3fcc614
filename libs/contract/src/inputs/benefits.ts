// What payers send of coverages, and what integrators ask about them.
import Type, { type Static, type TSchema } from 'typebox';
import { exampleIdentifier } from '../identifiers';
import { BATCH_CONTRACT_VERSION, BATCH_RECORD_LIMIT, DECISION_EVIDENCE_LIMIT } from '../limits';
import { coverageStatuses } from '../resources/coverage';
import {
  amount,
  closedObject,
  inputCurrency,
  inputInstant,
  integer,
  items,
  nullable,
  oneOf,
  text,
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
  member_reference: payerReference("The payer's reference of the member. Never shown in any answer."),
  service_code: payerReference('The service that is covered.'),
  plan_name: text(1, 160, "The plan's name."),
  status: oneOf(coverageStatuses, "The coverage's status at the payer."),
  currency: inputCurrency(),
  amount_limit: amount('Most that is covered of one session.', 1),
  remaining_sessions: integer(0, 100_000, 'Sessions left, as the payer counts them.'),
  authorization_required: Type.Boolean({
    description: 'Whether a session must be authorized before it is claimed.',
  }),
  coordination_priority: nullable(
    integer(1, 100, 'Order among several coverages, 1 is primary; null ranks last.'),
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
  valid_from: '2027-01-01T00:00:00Z',
  valid_until: '2028-01-01T00:00:00Z',
};

export const CoverageInput = closedObject(
  'CoverageInput',
  'What the payer says of a coverage now.',
  {
    source_contract_reference: payerReference("The payer's contract."),
    external_coverage_reference: payerReference("The payer's reference of the coverage."),
    source_version: text(1, 120, "The payer's version of this statement."),
    ...coverageFields,
    observed_at: inputInstant('When the payer saw this; not in the future.'),
    evidence_references: items(payerReference('A reference.'), 1, 20, 'What the statement rests on.'),
  },
  {
    source_contract_reference: 'contract/2027',
    external_coverage_reference: 'policy-4711',
    source_version: '7',
    ...exampleCoverage,
    observed_at: '2027-02-01T06:00:00Z',
    evidence_references: ['registry/extract-18'],
  },
);
export type CoverageInput = Static<typeof CoverageInput>;

const exampleRecord = { coverage_reference: 'policy-4711', record_version: '7', ...exampleCoverage };

export const CoverageBatchRecord = closedObject(
  'CoverageBatchRecord',
  'What the payer says of one coverage in a batch.',
  {
    coverage_reference: payerReference("The payer's reference of the coverage."),
    record_version: text(1, 120, "The payer's version of this statement."),
    ...coverageFields,
  },
  exampleRecord,
);
export type CoverageBatchRecord = Static<typeof CoverageBatchRecord>;

export const CoverageBatchInput = closedObject(
  'CoverageBatchInput',
  'Statements about many coverages. All of them are recorded or none.',
  {
    contract_version: Type.Literal(BATCH_CONTRACT_VERSION, { description: 'The version of this format.' }),
    batch_reference: payerReference("The payer's reference of the batch."),
    source_contract_reference: payerReference("The payer's contract."),
    batch_version: text(1, 120, "The payer's version of the batch."),
    generated_at: inputInstant('When the payer made the batch; its records are taken as observed then.'),
    records: items(CoverageBatchRecord, 1, BATCH_RECORD_LIMIT, 'The statements.'),
  },
  {
    contract_version: BATCH_CONTRACT_VERSION,
    batch_reference: 'batch-2027-02-01',
    source_contract_reference: 'contract/2027',
    batch_version: '1',
    generated_at: '2027-02-01T06:00:00Z',
    records: [exampleRecord],
  },
);
export type CoverageBatchInput = Static<typeof CoverageBatchInput>;

export const EligibilityCheckInput = closedObject(
  'EligibilityCheckInput',
  'A session to judge before it takes place.',
  {
    member_reference: memberReference(),
    service_code: text(1, 100, 'The service.', { pattern: '^[A-Za-z0-9:._/-]+$' }),
    scheduled_at: inputInstant('When the session is to start; in the future.'),
    amount: amount('What the session costs.', 1),
    currency: inputCurrency(),
  },
  {
    member_reference: 'member:88123',
    service_code: 'psy.individual.50',
    scheduled_at: '2027-03-01T10:00:00+03:00',
    amount: 350000,
    currency: 'KES',
  },
);
export type EligibilityCheckInput = Static<typeof EligibilityCheckInput>;

export const PreauthorizationInput = closedObject(
  'PreauthorizationInput',
  'A covered booking and the check that found it eligible.',
  { eligibility_check_id: eligibilityCheckId(), booking_id: bookingId() },
  { eligibility_check_id: exampleIdentifier('eligibilityCheck'), booking_id: exampleIdentifier('booking') },
);
export type PreauthorizationInput = Static<typeof PreauthorizationInput>;

const decisionFields = {
  reason_codes: items(reasonCode(), 1, 32, 'Why.'),
  policy_reference: text(3, 200, "The payer's reference of the rule applied.", {
    pattern: '^[A-Za-z][A-Za-z0-9:_-]+$',
  }),
  policy_version: text(1, 100, "The rule's version."),
  evidence_references: items(
    evidenceReference(),
    1,
    DECISION_EVIDENCE_LIMIT.input,
    'What the decision rests on.',
  ),
};

const exampleDecision = {
  reason_codes: ['within_policy'],
  policy_reference: 'policy:outpatient',
  policy_version: '2027.1',
  evidence_references: ['referral:8812'],
};

export const PreauthorizationApproval = closedObject(
  'PreauthorizationApproval',
  'The payer approves: one session of the benefit is reserved at once.',
  {
    outcome: Type.Literal('approved', { description: 'The decision.' }),
    approved_amount: amount('What is approved, at most what was requested.', 1),
    valid_until: inputInstant('Until when the approval can be used; in the future.'),
    ...decisionFields,
  },
  { outcome: 'approved', approved_amount: 350000, valid_until: '2027-04-01T00:00:00Z', ...exampleDecision },
);
export type PreauthorizationApproval = Static<typeof PreauthorizationApproval>;

export const PreauthorizationDenial = closedObject(
  'PreauthorizationDenial',
  'The payer denies: the benefit stays available.',
  { outcome: Type.Literal('denied', { description: 'The decision.' }), ...decisionFields },
  { outcome: 'denied', ...exampleDecision, reason_codes: ['not_medically_necessary'] },
);
export type PreauthorizationDenial = Static<typeof PreauthorizationDenial>;

export type PreauthorizationDecisionInput = PreauthorizationApproval | PreauthorizationDenial;
export const PreauthorizationDecisionInput = Type.Unsafe<PreauthorizationDecisionInput>({
  title: 'PreauthorizationDecisionInput',
  description: 'An approval or a denial, told apart by `outcome`. All fields are required.',
  type: 'object',
  discriminator: { propertyName: 'outcome' },
  oneOf: [PreauthorizationApproval, PreauthorizationDenial],
} as TSchema);
