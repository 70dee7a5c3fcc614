// Valuation runs: sums over the valuations of all claims of a project at a cutoff, in groups or as a development triangle.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { VALUATION_RUN_LIMIT } from '../limits';
import {
  amountDifference,
  boundedInteger,
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  nullableObject,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';
import { valuationAmounts } from '../valuation-amounts';
import { claimStatuses } from './claim';

export const valuationRunStatuses = ['pending', 'ready', 'failed'] as const;
export const valuationRunKinds = ['totals', 'development'] as const;

/** The dimensions by which a run groups claims, in addition to the currency. */
export const valuationDimensions = [
  'status',
  'practitioner_id',
  'payer_reference',
  'plan',
  'service_month',
  'submission_month',
  'age_band',
] as const;
export type ValuationDimension = (typeof valuationDimensions)[number];

/** The age bands of claims, youngest first. Receivables use the same age bands. */
export const ageBands = ['days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const;
export type AgeBand = (typeof ageBands)[number];

export const developmentOrigins = ['service_month', 'service_quarter', 'service_year'] as const;
export const developmentSteps = ['month', 'quarter', 'year'] as const;

/** The number of months in each kind of period. */
export const PERIOD_MONTHS = {
  service_month: 1,
  service_quarter: 3,
  service_year: 12,
  month: 1,
  quarter: 3,
  year: 12,
} as const satisfies Record<(typeof developmentOrigins | typeof developmentSteps)[number], number>;

export const developmentMeasures = ['claim_count', ...valuationAmounts] as const;
export type DevelopmentMeasure = (typeof developmentMeasures)[number];

const DATE_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const MONTH_PATTERN = '^[0-9]{4}-[0-9]{2}$';

function outputDate(description: string) {
  return Type.String({ pattern: DATE_PATTERN, description: `${description} In UTC.` });
}

function outputMonth(description: string) {
  return Type.String({ pattern: MONTH_PATTERN, description: `${description} In UTC.` });
}

const sums = {
  claim_count: safeInteger('The number of claims.'),
  amount: inlineObject(
    "Sums of the amounts of the claims' valuations. A claim without an adjudication adds 0.",
    {
      billed: moneyAmount('The sum of the claimed amounts.'),
      payer_liability: moneyAmount('The sum of the amounts that payers pay.'),
      patient_responsibility: moneyAmount('The sum of the amounts that patients pay.'),
      adjustment: moneyAmount('The sum of the amounts that neither pays.'),
      remitted: moneyAmount('The sum of remittances.'),
      settled: moneyAmount('The sum of observed settlements.'),
      // It can be negative: at the cutoff, a fact that was recorded later, such as a settlement, can be in effect while one that was recorded
      // earlier, such as the adjudication, is not.
      outstanding: amountDifference('The sum of the outstanding amounts.'),
    },
  ),
};

const dimensions = {
  status: stringEnum('ClaimStatus', claimStatuses, 'The status of the claims at the cutoffs.'),
  practitioner_id: identifier('practitioner', 'The practitioner of the claims.'),
  payer_reference: outputString(
    'The source_contract_reference that the coverage had when the claim was submitted.',
  ),
  plan: outputString("The name of the coverage's plan when the claim was submitted."),
  service_month: outputMonth('The month in which the service starts.'),
  submission_month: outputMonth('The month in which the claim was submitted.'),
  age_band: stringEnum(
    'AgeBand',
    ageBands,
    'The number of whole days from the submission to effective_through.',
  ),
};

function groupedBy<S extends Parameters<typeof nullable>[0]>(schema: S) {
  const field = nullable(schema);
  return {
    ...field,
    description: `${Reflect.get(field, 'description')} Null if not grouped by it.`,
  } as typeof field;
}

const group = inlineObject('The claims with equal values of all dimensions of group_by.', {
  currency: outputCurrency(),
  status: groupedBy(dimensions.status),
  practitioner_id: groupedBy(dimensions.practitioner_id),
  payer_reference: groupedBy(dimensions.payer_reference),
  plan: groupedBy(dimensions.plan),
  service_month: groupedBy(dimensions.service_month),
  submission_month: groupedBy(dimensions.submission_month),
  age_band: groupedBy(dimensions.age_band),
  ...sums,
});

const triangle = inlineObject('A development triangle. All numbers are cumulative.', {
  origins: outputArray(
    outputDate('The first day of the period.'),
    "The periods in which services start, from the first to the last with a claim: the triangle's rows.",
  ),
  valuation_dates: outputArray(
    outputDate('The valuation date.'),
    "The days through whose end facts count, ascending: the triangle's columns. The last one is the day of valuation_at, through valuation_at.",
  ),
  currencies: outputArray(
    inlineObject('The triangle of one currency.', {
      currency: outputCurrency(),
      measures: outputArray(
        inlineObject('The triangle of one measure.', {
          measure: stringEnum('DevelopmentMeasure', developmentMeasures, 'The measure.'),
          rows: outputArray(
            outputArray(
              nullable(
                amountDifference(
                  'The sum at the valuation date; 0 without claims; null before the first day of the period. claim_count is a number of claims.',
                ),
              ),
              'One value per valuation date.',
            ),
            'One row per origin.',
          ),
        }),
        'One item per requested measure, in the order of the request.',
      ),
    }),
    'One item per currency with a claim, in alphabetical order.',
  ),
});

const summary = {
  id: identifier('valuationRun', 'The identifier.'),
  object: objectName('valuation_run'),
  status: stringEnum(
    'ValuationRunStatus',
    valuationRunStatuses,
    'Whether the result is there: pending, ready or failed.',
  ),
  progress: boundedInteger(0, 100, 'How much of the work is done, in percent.'),
  valuation_at: outputInstant('The instant by which facts were recorded, inclusive.'),
  effective_through: outputInstant('The instant by which facts took effect, inclusive.'),
  kind: stringEnum('ValuationRunKind', valuationRunKinds, 'The kind of the result.'),
  group_by: outputArray(
    stringEnum('ValuationDimension', valuationDimensions, 'A dimension.'),
    'The dimensions of the request.',
  ),
  development: nullableObject(
    inlineObject('The triangle of the request.', {
      origin: stringEnum('DevelopmentOrigin', developmentOrigins, 'The periods of the rows.'),
      step: stringEnum('DevelopmentStep', developmentSteps, 'The distance of valuation dates.'),
      measures: outputArray(
        stringEnum('DevelopmentMeasure', developmentMeasures, 'A measure.'),
        'The measures.',
      ),
    }),
    'The triangle of the request; null for totals.',
  ),
  failure: nullable(outputString('Why the run failed; null if it has not.')),
  claims_counted: nullable(safeInteger('The number of claims at the cutoffs; null until the run is ready.')),
  totals: outputArray(
    inlineObject('The claims in one currency.', { currency: outputCurrency(), ...sums }),
    'Sums over all claims, one item per currency in alphabetical order; empty until the run is ready.',
  ),
  result_sha256: nullable(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the canonical JSON (RFC 8785) of {groups, totals, triangle}, in which payers have internal identifiers, so that the erasure of a reference does not change it. Equal requests have equal values. Null until the run is ready.',
    }),
  ),
  created_at: outputInstant('When the run was requested.'),
  completed_at: nullable(outputInstant('When the run became ready or failed; null while it is pending.')),
};

const example = {
  id: exampleIdentifier('valuationRun'),
  object: 'valuation_run',
  status: 'ready',
  progress: 100,
  valuation_at: '2025-03-31T23:59:59.999Z',
  effective_through: '2025-03-31T23:59:59.999Z',
  kind: 'totals',
  group_by: ['status'],
  development: null,
  failure: null,
  claims_counted: 2,
  totals: [
    {
      currency: 'KES',
      claim_count: 2,
      amount: {
        billed: 650000,
        payer_liability: 300000,
        patient_responsibility: 0,
        adjustment: 50000,
        remitted: 0,
        settled: 0,
        outstanding: 300000,
      },
    },
  ],
  result_sha256: '0b1f7a3c5d9e2846a1c3e5f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b',
  created_at: '2025-04-01T06:00:00.000Z',
  completed_at: '2025-04-01T06:00:01.000Z',
};

export const ValuationRunSummary = closedObject(
  'ValuationRunSummary',
  'A valuation run without its groups and its triangle.',
  summary,
  example,
);
export type ValuationRunSummary = Static<typeof ValuationRunSummary>;

export const ValuationRun = closedObject(
  'ValuationRun',
  'Sums over the valuations of all claims of the project at two instants. The result never changes.',
  {
    ...summary,
    groups: outputArray(
      group,
      `The groups with a claim, in the same order for equal requests; at most ${VALUATION_RUN_LIMIT.groups}, otherwise the run fails. Empty for a triangle and until the run is ready.`,
    ),
    triangle: nullableObject(triangle, 'The triangle; null for totals and until the run is ready.'),
  },
  {
    ...example,
    groups: [
      {
        currency: 'KES',
        status: 'approved',
        practitioner_id: null,
        payer_reference: null,
        plan: null,
        service_month: null,
        submission_month: null,
        age_band: null,
        claim_count: 1,
        amount: {
          billed: 350000,
          payer_liability: 300000,
          patient_responsibility: 0,
          adjustment: 50000,
          remitted: 0,
          settled: 0,
          outstanding: 300000,
        },
      },
      {
        currency: 'KES',
        status: 'submitted',
        practitioner_id: null,
        payer_reference: null,
        plan: null,
        service_month: null,
        submission_month: null,
        age_band: null,
        claim_count: 1,
        amount: {
          billed: 300000,
          payer_liability: 0,
          patient_responsibility: 0,
          adjustment: 0,
          remitted: 0,
          settled: 0,
          outstanding: 0,
        },
      },
    ],
    triangle: null,
  },
);
export type ValuationRun = Static<typeof ValuationRun>;

export const ValuationRunClaim = closedObject(
  'ValuationRunClaim',
  "A claim that a valuation run counted, at the cutoffs of the run. If both cutoffs are equal, status and amounts are those of the claim's valuation.",
  {
    id: identifier('claim', 'The claim.'),
    object: objectName('valuation_run_claim'),
    currency: outputCurrency(),
    ...dimensions,
    amount: inlineObject('Amounts at the cutoffs.', {
      billed: moneyAmount('The claimed amount.'),
      payer_liability: nullable(
        moneyAmount('The amount that the payer pays; null while there is no adjudication.'),
      ),
      patient_responsibility: nullable(
        moneyAmount('The amount that the patient pays; null while there is no adjudication.'),
      ),
      adjustment: nullable(moneyAmount('The amount that neither pays; null while there is no adjudication.')),
      remitted: moneyAmount('The total of remittances.'),
      settled: moneyAmount('The total of observed settlements.'),
      outstanding: nullable(
        amountDifference('payer_liability minus settled; null while there is no adjudication.'),
      ),
    }),
  },
  {
    id: exampleIdentifier('claim'),
    object: 'valuation_run_claim',
    currency: 'KES',
    status: 'approved',
    practitioner_id: exampleIdentifier('practitioner'),
    payer_reference: 'contract/2025',
    plan: 'Outpatient',
    service_month: '2025-03',
    submission_month: '2025-03',
    age_band: 'days_0_30',
    amount: {
      billed: 350000,
      payer_liability: 300000,
      patient_responsibility: 0,
      adjustment: 50000,
      remitted: 0,
      settled: 0,
      outstanding: 300000,
    },
  },
);
export type ValuationRunClaim = Static<typeof ValuationRunClaim>;
