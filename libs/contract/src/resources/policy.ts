// The rule that a payer names for a decision, wherever a decision is shown.
import type { Static } from 'typebox';
import { outputText, part } from '../schema';

/** Which rule, in which version. */
export const PolicyReference = part('The rule that was applied.', {
  reference: outputText("The payer's reference of the rule."),
  version: outputText("The rule's version."),
});
export type PolicyReference = Static<typeof PolicyReference>;
