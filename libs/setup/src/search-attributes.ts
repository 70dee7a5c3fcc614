/** The search attributes by which an operator finds a workflow. They are never encrypted: no member reference in them. */
import { defineSearchAttributeKey } from '@temporalio/common';

export const ENVIRONMENT = defineSearchAttributeKey('Environment', 'KEYWORD');
export const PROJECT_ID = defineSearchAttributeKey('ProjectId', 'KEYWORD');
/** When the next deadline of the resource falls; absent where nothing is due. */
export const DUE_AT = defineSearchAttributeKey('DueAt', 'DATETIME');
export const CLAIM_STATUS = defineSearchAttributeKey('ClaimStatus', 'KEYWORD');
export const PREAUTHORIZATION_STATUS = defineSearchAttributeKey('PreauthorizationStatus', 'KEYWORD');
export const REMITTANCE_STATUS = defineSearchAttributeKey('RemittanceStatus', 'KEYWORD');
