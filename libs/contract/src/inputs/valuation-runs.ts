// Request bodies for valuation runs.

import { type Static, Type } from 'typebox';
import {
  developmentMeasures,
  developmentOrigins,
  developmentSteps,
  valuationDimensions,
  valuationRunKinds,
} from '../resources/valuation-run';
import { closedObject, inlineObject, inputInstant, stringEnum } from '../schema';

export const ValuationRunInput = closedObject(
  'ValuationRunInput',
  'The valuation of all claims of the project at two instants: when facts were recorded, and when they took effect.',
  {
    valuation_at: inputInstant(
      'Only facts that were recorded by this instant count (knowledge time). At most 5 seconds in the future.',
      '2025-03-31T23:59:59.999Z',
    ),
    effective_through: Type.Optional(
      inputInstant(
        'Only facts that took effect by this instant count (business time); not after valuation_at. Absent: valuation_at.',
        '2025-03-31T23:59:59.999Z',
      ),
    ),
    kind: stringEnum(
      'ValuationRunKind',
      valuationRunKinds,
      'totals: sums per group. development: a triangle of sums by service period and valuation date.',
    ),
    group_by: Type.Optional(
      Type.Array(stringEnum('ValuationDimension', valuationDimensions, 'A dimension.'), {
        maxItems: valuationDimensions.length,
        uniqueItems: true,
        description:
          'The dimensions by which totals are grouped, in addition to the currency. Absent or empty: only the currency. Only for totals.',
      }),
    ),
    development: Type.Optional(
      inlineObject('The triangle. Required for the kind development, otherwise absent.', {
        origin: stringEnum(
          'DevelopmentOrigin',
          developmentOrigins,
          "The periods of the triangle's rows: a claim belongs to the period in which its service starts, in UTC.",
        ),
        step: stringEnum(
          'DevelopmentStep',
          developmentSteps,
          'The distance of valuation dates, not longer than the period of origin.',
        ),
        measures: Type.Array(stringEnum('DevelopmentMeasure', developmentMeasures, 'A measure.'), {
          minItems: 1,
          maxItems: developmentMeasures.length,
          uniqueItems: true,
          description: 'The sums in the triangle.',
        }),
      }),
    ),
  },
  {
    valuation_at: '2025-03-31T23:59:59.999Z',
    kind: 'totals',
    group_by: ['status', 'payer_reference'],
  },
);
export type ValuationRunInput = Static<typeof ValuationRunInput>;
