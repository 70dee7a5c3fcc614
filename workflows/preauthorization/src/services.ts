/** The steps of the pre-authorization's workflow with their summaries: steps in the benefits service and in the care service. */
import { localSteps } from '@carecover/platform/workflow';
import type { CareForPreauthorizations } from './ports';
import type { PreauthorizationSteps } from './steps';

export const own = localSteps<PreauthorizationSteps>('10s', {
  review: 'Read the facts, and expire it if it is due',
  beginDecision: 'Check the decision and reserve a session',
  commitDecision: 'Record the decision',
  abandonDecision: 'Rejected: release the session',
  cancel: 'Cancel it',
  cancelForBooking: 'Cancel it with its booking',
  expireNow: 'Expire it now',
});

export const care = localSteps<CareForPreauthorizations>('10s', {
  confirmBooking: 'Care: confirm the booking',
  withdrawConfirmation: 'Rejected: care withdraws the confirmation',
});
