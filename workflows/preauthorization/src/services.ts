/** The workflow's lines to the services: own steps as local activities, the others' on their queues. */
import { ownSteps, stepsElsewhere } from '@carecover/platform/workflow';
import type { CareForPreauthorizations } from './ports';
import type { PreauthorizationSteps } from './steps';

export const own = ownSteps<PreauthorizationSteps>('10s', {
  review: 'Read the facts, and expire it if it is due',
  beginDecision: 'Judge the decision and reserve a session',
  commitDecision: 'Record the decision',
  abandonDecision: 'Rejected: release the session',
  cancel: 'Cancel it',
  cancelForBooking: 'Cancel it with its booking',
  expireNow: 'Expire it now',
});

export const care = stepsElsewhere<CareForPreauthorizations>('care', '10s', {
  confirmBooking: 'Confirm the booking',
  withdrawConfirmation: 'Rejected: withdraw the confirmation of the booking',
});
