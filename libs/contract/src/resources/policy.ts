// The reference to the payer's rule that a decision applied.
import type { Static } from 'typebox';
import { inlineObject, outputString } from '../schema';

/** The schema of a reference to a payer's rule and the rule's version. */
export const PolicyReference = inlineObject('The applied rule.', {
  reference: outputString("The payer's reference of the rule."),
  version: outputString("The rule's version."),
});
export type PolicyReference = Static<typeof PolicyReference>;
