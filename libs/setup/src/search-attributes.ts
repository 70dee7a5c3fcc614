/** The search attributes by which an operator finds a workflow. They are not encrypted, so they never contain a member reference. */
import { defineSearchAttributeKey } from '@temporalio/common';

export const ENVIRONMENT = defineSearchAttributeKey('Environment', 'KEYWORD');
export type KeywordAttribute = typeof ENVIRONMENT;
export const PROJECT_ID = defineSearchAttributeKey('ProjectId', 'KEYWORD');
/** The next deadline of the workflow's resource; absent if it has none. */
export const DUE_AT = defineSearchAttributeKey('DueAt', 'DATETIME');
export const CLAIM_STATUS = defineSearchAttributeKey('ClaimStatus', 'KEYWORD');
export const PREAUTHORIZATION_STATUS = defineSearchAttributeKey('PreauthorizationStatus', 'KEYWORD');
export const REMITTANCE_STATUS = defineSearchAttributeKey('RemittanceStatus', 'KEYWORD');
