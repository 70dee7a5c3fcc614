/** The amounts of a valuation. An entry of its own, because apps in browsers import it without the schemas. */

/** The amounts of a claim, or of the claims in a group, in minor units. */
export const valuationAmounts = [
  'billed',
  'payer_liability',
  'patient_responsibility',
  'adjustment',
  'remitted',
  'settled',
  'outstanding',
] as const;
