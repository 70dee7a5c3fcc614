"""Contains all the data models used in inputs/outputs"""

from .adjudication import Adjudication
from .adjudication_amount import AdjudicationAmount
from .adjudication_decision import AdjudicationDecision
from .adjudication_input import AdjudicationInput
from .adjudication_input_lines_item import AdjudicationInputLinesItem
from .adjudication_input_lines_item_amount import AdjudicationInputLinesItemAmount
from .adjudication_lines_item import AdjudicationLinesItem
from .adjudication_lines_item_amount import AdjudicationLinesItemAmount
from .adjudication_policy import AdjudicationPolicy
from .api import Api
from .api_environment import ApiEnvironment
from .availability import Availability
from .availability_weekly_hours_item import AvailabilityWeeklyHoursItem
from .availability_weekly_hours_item_formats_item import (
    AvailabilityWeeklyHoursItemFormatsItem,
)
from .booking import Booking
from .booking_format import BookingFormat
from .booking_input import BookingInput
from .booking_input_format import BookingInputFormat
from .booking_input_payment_source import BookingInputPaymentSource
from .booking_list import BookingList
from .booking_payment_source import BookingPaymentSource
from .booking_status import BookingStatus
from .cancellation_input import CancellationInput
from .claim import Claim
from .claim_amount import ClaimAmount
from .claim_approved_event import ClaimApprovedEvent
from .claim_cancelled_event import ClaimCancelledEvent
from .claim_denied_event import ClaimDeniedEvent
from .claim_event_data import ClaimEventData
from .claim_event_data_amount import ClaimEventDataAmount
from .claim_event_data_status import ClaimEventDataStatus
from .claim_information_request import ClaimInformationRequest
from .claim_information_request_status import ClaimInformationRequestStatus
from .claim_information_requested_event import ClaimInformationRequestedEvent
from .claim_input import ClaimInput
from .claim_input_lines_item import ClaimInputLinesItem
from .claim_lines_item import ClaimLinesItem
from .claim_links import ClaimLinks
from .claim_links_remittances_item import ClaimLinksRemittancesItem
from .claim_links_session_recorded_type_0 import ClaimLinksSessionRecordedType0
from .claim_links_settlements_item import ClaimLinksSettlementsItem
from .claim_list import ClaimList
from .claim_partially_approved_event import ClaimPartiallyApprovedEvent
from .claim_resubmitted_event import ClaimResubmittedEvent
from .claim_reversed_event import ClaimReversedEvent
from .claim_service_period import ClaimServicePeriod
from .claim_settled_event import ClaimSettledEvent
from .claim_status import ClaimStatus
from .claim_submitted_event import ClaimSubmittedEvent
from .claim_valuation import ClaimValuation
from .claim_valuation_amount import ClaimValuationAmount
from .claim_valuation_events_item import ClaimValuationEventsItem
from .claim_valuation_events_item_next_status_type_1 import (
    ClaimValuationEventsItemNextStatusType1,
)
from .claim_valuation_events_item_next_status_type_2_type_1 import (
    ClaimValuationEventsItemNextStatusType2Type1,
)
from .claim_valuation_events_item_next_status_type_3_type_1 import (
    ClaimValuationEventsItemNextStatusType3Type1,
)
from .claim_valuation_events_item_previous_status_type_1 import (
    ClaimValuationEventsItemPreviousStatusType1,
)
from .claim_valuation_events_item_previous_status_type_2_type_1 import (
    ClaimValuationEventsItemPreviousStatusType2Type1,
)
from .claim_valuation_events_item_previous_status_type_3_type_1 import (
    ClaimValuationEventsItemPreviousStatusType3Type1,
)
from .claim_valuation_events_item_type import ClaimValuationEventsItemType
from .claim_valuation_policy_type_0 import ClaimValuationPolicyType0
from .claim_valuation_status import ClaimValuationStatus
from .consent import Consent
from .consent_input import ConsentInput
from .consent_input_status import ConsentInputStatus
from .consent_status import ConsentStatus
from .coverage_batch_input import CoverageBatchInput
from .coverage_batch_record import CoverageBatchRecord
from .coverage_batch_record_currency import CoverageBatchRecordCurrency
from .coverage_batch_record_status import CoverageBatchRecordStatus
from .coverage_batch_result import CoverageBatchResult
from .coverage_input import CoverageInput
from .coverage_input_currency import CoverageInputCurrency
from .coverage_input_status import CoverageInputStatus
from .coverage_observation import CoverageObservation
from .coverage_observation_amount_limit import CoverageObservationAmountLimit
from .coverage_observation_source import CoverageObservationSource
from .coverage_observation_status import CoverageObservationStatus
from .eligibility_check import EligibilityCheck
from .eligibility_check_amount import EligibilityCheckAmount
from .eligibility_check_input import EligibilityCheckInput
from .eligibility_check_input_currency import EligibilityCheckInputCurrency
from .eligibility_check_reason_codes_item import EligibilityCheckReasonCodesItem
from .eligibility_check_service import EligibilityCheckService
from .eligibility_check_status import EligibilityCheckStatus
from .error import Error
from .error_error import ErrorError
from .error_error_code import ErrorErrorCode
from .event_list import EventList
from .evidence_input import EvidenceInput
from .get_receivables_currency import GetReceivablesCurrency
from .information_request_input import InformationRequestInput
from .list_bookings_status import ListBookingsStatus
from .list_claims_status import ListClaimsStatus
from .list_events_type import ListEventsType
from .list_practitioner_slots_format import ListPractitionerSlotsFormat
from .list_preauthorizations_status import ListPreauthorizationsStatus
from .list_remittances_status import ListRemittancesStatus
from .list_sessions_status import ListSessionsStatus
from .list_settlements_status import ListSettlementsStatus
from .list_valuation_runs_kind import ListValuationRunsKind
from .list_valuation_runs_status import ListValuationRunsStatus
from .list_webhook_deliveries_status import ListWebhookDeliveriesStatus
from .list_webhook_endpoints_status import ListWebhookEndpointsStatus
from .ping_event_data import PingEventData
from .practitioner import Practitioner
from .practitioner_list import PractitionerList
from .practitioner_location import PractitionerLocation
from .practitioner_session_fee import PractitionerSessionFee
from .preauthorization import Preauthorization
from .preauthorization_amount import PreauthorizationAmount
from .preauthorization_approval import PreauthorizationApproval
from .preauthorization_approved_event import PreauthorizationApprovedEvent
from .preauthorization_cancelled_event import PreauthorizationCancelledEvent
from .preauthorization_decision import PreauthorizationDecision
from .preauthorization_decision_outcome import PreauthorizationDecisionOutcome
from .preauthorization_decision_policy import PreauthorizationDecisionPolicy
from .preauthorization_denial import PreauthorizationDenial
from .preauthorization_denied_event import PreauthorizationDeniedEvent
from .preauthorization_event_data import PreauthorizationEventData
from .preauthorization_event_data_amount import PreauthorizationEventDataAmount
from .preauthorization_event_data_status import PreauthorizationEventDataStatus
from .preauthorization_expired_event import PreauthorizationExpiredEvent
from .preauthorization_input import PreauthorizationInput
from .preauthorization_list import PreauthorizationList
from .preauthorization_requested_event import PreauthorizationRequestedEvent
from .preauthorization_status import PreauthorizationStatus
from .receivables import Receivables
from .receivables_currencies_item import ReceivablesCurrenciesItem
from .receivables_currencies_item_outstanding import (
    ReceivablesCurrenciesItemOutstanding,
)
from .receivables_currencies_item_payers_item import ReceivablesCurrenciesItemPayersItem
from .receivables_currencies_item_payers_item_outstanding import (
    ReceivablesCurrenciesItemPayersItemOutstanding,
)
from .receivables_currencies_item_practitioners_item import (
    ReceivablesCurrenciesItemPractitionersItem,
)
from .receivables_currencies_item_practitioners_item_outstanding import (
    ReceivablesCurrenciesItemPractitionersItemOutstanding,
)
from .remittance import Remittance
from .remittance_allocations_item import RemittanceAllocationsItem
from .remittance_amount import RemittanceAmount
from .remittance_event_data import RemittanceEventData
from .remittance_event_data_amount import RemittanceEventDataAmount
from .remittance_event_data_status import RemittanceEventDataStatus
from .remittance_exception_event import RemittanceExceptionEvent
from .remittance_input import RemittanceInput
from .remittance_input_allocations_item import RemittanceInputAllocationsItem
from .remittance_input_currency import RemittanceInputCurrency
from .remittance_list import RemittanceList
from .remittance_reconciled_event import RemittanceReconciledEvent
from .remittance_reconciliation import RemittanceReconciliation
from .remittance_reconciliation_next_steps_item import (
    RemittanceReconciliationNextStepsItem,
)
from .remittance_reconciliation_next_steps_item_operation import (
    RemittanceReconciliationNextStepsItemOperation,
)
from .remittance_reconciliation_reason_type_1 import RemittanceReconciliationReasonType1
from .remittance_reconciliation_reason_type_2_type_1 import (
    RemittanceReconciliationReasonType2Type1,
)
from .remittance_reconciliation_reason_type_3_type_1 import (
    RemittanceReconciliationReasonType3Type1,
)
from .remittance_reconciliation_settlements_item import (
    RemittanceReconciliationSettlementsItem,
)
from .remittance_reconciliation_settlements_item_amount import (
    RemittanceReconciliationSettlementsItemAmount,
)
from .remittance_reconciliation_settlements_item_reason_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType1,
)
from .remittance_reconciliation_settlements_item_reason_type_2_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType2Type1,
)
from .remittance_reconciliation_settlements_item_reason_type_3_type_1 import (
    RemittanceReconciliationSettlementsItemReasonType3Type1,
)
from .remittance_reconciliation_settlements_item_status import (
    RemittanceReconciliationSettlementsItemStatus,
)
from .remittance_reconciliation_status import RemittanceReconciliationStatus
from .remittance_status import RemittanceStatus
from .reversal_input import ReversalInput
from .sandbox_ping_event import SandboxPingEvent
from .session import Session
from .session_format import SessionFormat
from .session_input import SessionInput
from .session_input_format import SessionInputFormat
from .session_input_payment_source import SessionInputPaymentSource
from .session_list import SessionList
from .session_payment_source import SessionPaymentSource
from .session_status import SessionStatus
from .settlement import Settlement
from .settlement_allocations_item import SettlementAllocationsItem
from .settlement_amount import SettlementAmount
from .settlement_input import SettlementInput
from .settlement_input_allocations_item import SettlementInputAllocationsItem
from .settlement_input_currency import SettlementInputCurrency
from .settlement_list import SettlementList
from .settlement_status import SettlementStatus
from .slot import Slot
from .slot_format import SlotFormat
from .slot_list import SlotList
from .token import Token
from .token_input import TokenInput
from .token_input_scopes_item import TokenInputScopesItem
from .token_scopes_item import TokenScopesItem
from .valuation_run import ValuationRun
from .valuation_run_claim import ValuationRunClaim
from .valuation_run_claim_age_band import ValuationRunClaimAgeBand
from .valuation_run_claim_amount import ValuationRunClaimAmount
from .valuation_run_claim_list import ValuationRunClaimList
from .valuation_run_claim_status import ValuationRunClaimStatus
from .valuation_run_development_type_0 import ValuationRunDevelopmentType0
from .valuation_run_development_type_0_measures_item import (
    ValuationRunDevelopmentType0MeasuresItem,
)
from .valuation_run_development_type_0_origin import ValuationRunDevelopmentType0Origin
from .valuation_run_development_type_0_step import ValuationRunDevelopmentType0Step
from .valuation_run_group_by_item import ValuationRunGroupByItem
from .valuation_run_groups_item import ValuationRunGroupsItem
from .valuation_run_groups_item_age_band_type_1 import (
    ValuationRunGroupsItemAgeBandType1,
)
from .valuation_run_groups_item_age_band_type_2_type_1 import (
    ValuationRunGroupsItemAgeBandType2Type1,
)
from .valuation_run_groups_item_age_band_type_3_type_1 import (
    ValuationRunGroupsItemAgeBandType3Type1,
)
from .valuation_run_groups_item_amount import ValuationRunGroupsItemAmount
from .valuation_run_groups_item_status_type_1 import ValuationRunGroupsItemStatusType1
from .valuation_run_groups_item_status_type_2_type_1 import (
    ValuationRunGroupsItemStatusType2Type1,
)
from .valuation_run_groups_item_status_type_3_type_1 import (
    ValuationRunGroupsItemStatusType3Type1,
)
from .valuation_run_input import ValuationRunInput
from .valuation_run_input_development import ValuationRunInputDevelopment
from .valuation_run_input_development_measures_item import (
    ValuationRunInputDevelopmentMeasuresItem,
)
from .valuation_run_input_development_origin import ValuationRunInputDevelopmentOrigin
from .valuation_run_input_development_step import ValuationRunInputDevelopmentStep
from .valuation_run_input_group_by_item import ValuationRunInputGroupByItem
from .valuation_run_input_kind import ValuationRunInputKind
from .valuation_run_kind import ValuationRunKind
from .valuation_run_status import ValuationRunStatus
from .valuation_run_summary import ValuationRunSummary
from .valuation_run_summary_development_type_0 import (
    ValuationRunSummaryDevelopmentType0,
)
from .valuation_run_summary_development_type_0_measures_item import (
    ValuationRunSummaryDevelopmentType0MeasuresItem,
)
from .valuation_run_summary_development_type_0_origin import (
    ValuationRunSummaryDevelopmentType0Origin,
)
from .valuation_run_summary_development_type_0_step import (
    ValuationRunSummaryDevelopmentType0Step,
)
from .valuation_run_summary_group_by_item import ValuationRunSummaryGroupByItem
from .valuation_run_summary_kind import ValuationRunSummaryKind
from .valuation_run_summary_list import ValuationRunSummaryList
from .valuation_run_summary_status import ValuationRunSummaryStatus
from .valuation_run_summary_totals_item import ValuationRunSummaryTotalsItem
from .valuation_run_summary_totals_item_amount import (
    ValuationRunSummaryTotalsItemAmount,
)
from .valuation_run_totals_item import ValuationRunTotalsItem
from .valuation_run_totals_item_amount import ValuationRunTotalsItemAmount
from .valuation_run_triangle_type_0 import ValuationRunTriangleType0
from .valuation_run_triangle_type_0_currencies_item import (
    ValuationRunTriangleType0CurrenciesItem,
)
from .valuation_run_triangle_type_0_currencies_item_measures_item import (
    ValuationRunTriangleType0CurrenciesItemMeasuresItem,
)
from .valuation_run_triangle_type_0_currencies_item_measures_item_measure import (
    ValuationRunTriangleType0CurrenciesItemMeasuresItemMeasure,
)
from .webhook_delivery import WebhookDelivery
from .webhook_delivery_record import WebhookDeliveryRecord
from .webhook_delivery_record_history_item import WebhookDeliveryRecordHistoryItem
from .webhook_delivery_record_list import WebhookDeliveryRecordList
from .webhook_delivery_record_status import WebhookDeliveryRecordStatus
from .webhook_delivery_record_type import WebhookDeliveryRecordType
from .webhook_endpoint import WebhookEndpoint
from .webhook_endpoint_events_item import WebhookEndpointEventsItem
from .webhook_endpoint_input import WebhookEndpointInput
from .webhook_endpoint_input_events_item import WebhookEndpointInputEventsItem
from .webhook_endpoint_list import WebhookEndpointList
from .webhook_endpoint_status import WebhookEndpointStatus
from .webhook_endpoint_update import WebhookEndpointUpdate
from .webhook_endpoint_update_events_item import WebhookEndpointUpdateEventsItem
from .webhook_endpoint_update_status import WebhookEndpointUpdateStatus
from .webhook_endpoint_with_secret import WebhookEndpointWithSecret
from .webhook_endpoint_with_secret_events_item import (
    WebhookEndpointWithSecretEventsItem,
)
from .webhook_endpoint_with_secret_status import WebhookEndpointWithSecretStatus
from .webhook_recovery import WebhookRecovery
from .webhook_recovery_input import WebhookRecoveryInput

__all__ = (
    "Adjudication",
    "AdjudicationAmount",
    "AdjudicationDecision",
    "AdjudicationInput",
    "AdjudicationInputLinesItem",
    "AdjudicationInputLinesItemAmount",
    "AdjudicationLinesItem",
    "AdjudicationLinesItemAmount",
    "AdjudicationPolicy",
    "Api",
    "ApiEnvironment",
    "Availability",
    "AvailabilityWeeklyHoursItem",
    "AvailabilityWeeklyHoursItemFormatsItem",
    "Booking",
    "BookingFormat",
    "BookingInput",
    "BookingInputFormat",
    "BookingInputPaymentSource",
    "BookingList",
    "BookingPaymentSource",
    "BookingStatus",
    "CancellationInput",
    "Claim",
    "ClaimAmount",
    "ClaimApprovedEvent",
    "ClaimCancelledEvent",
    "ClaimDeniedEvent",
    "ClaimEventData",
    "ClaimEventDataAmount",
    "ClaimEventDataStatus",
    "ClaimInformationRequest",
    "ClaimInformationRequestStatus",
    "ClaimInformationRequestedEvent",
    "ClaimInput",
    "ClaimInputLinesItem",
    "ClaimLinesItem",
    "ClaimLinks",
    "ClaimLinksRemittancesItem",
    "ClaimLinksSessionRecordedType0",
    "ClaimLinksSettlementsItem",
    "ClaimList",
    "ClaimPartiallyApprovedEvent",
    "ClaimResubmittedEvent",
    "ClaimReversedEvent",
    "ClaimServicePeriod",
    "ClaimSettledEvent",
    "ClaimStatus",
    "ClaimSubmittedEvent",
    "ClaimValuation",
    "ClaimValuationAmount",
    "ClaimValuationEventsItem",
    "ClaimValuationEventsItemNextStatusType1",
    "ClaimValuationEventsItemNextStatusType2Type1",
    "ClaimValuationEventsItemNextStatusType3Type1",
    "ClaimValuationEventsItemPreviousStatusType1",
    "ClaimValuationEventsItemPreviousStatusType2Type1",
    "ClaimValuationEventsItemPreviousStatusType3Type1",
    "ClaimValuationEventsItemType",
    "ClaimValuationPolicyType0",
    "ClaimValuationStatus",
    "Consent",
    "ConsentInput",
    "ConsentInputStatus",
    "ConsentStatus",
    "CoverageBatchInput",
    "CoverageBatchRecord",
    "CoverageBatchRecordCurrency",
    "CoverageBatchRecordStatus",
    "CoverageBatchResult",
    "CoverageInput",
    "CoverageInputCurrency",
    "CoverageInputStatus",
    "CoverageObservation",
    "CoverageObservationAmountLimit",
    "CoverageObservationSource",
    "CoverageObservationStatus",
    "EligibilityCheck",
    "EligibilityCheckAmount",
    "EligibilityCheckInput",
    "EligibilityCheckInputCurrency",
    "EligibilityCheckReasonCodesItem",
    "EligibilityCheckService",
    "EligibilityCheckStatus",
    "Error",
    "ErrorError",
    "ErrorErrorCode",
    "EventList",
    "EvidenceInput",
    "GetReceivablesCurrency",
    "InformationRequestInput",
    "ListBookingsStatus",
    "ListClaimsStatus",
    "ListEventsType",
    "ListPractitionerSlotsFormat",
    "ListPreauthorizationsStatus",
    "ListRemittancesStatus",
    "ListSessionsStatus",
    "ListSettlementsStatus",
    "ListValuationRunsKind",
    "ListValuationRunsStatus",
    "ListWebhookDeliveriesStatus",
    "ListWebhookEndpointsStatus",
    "PingEventData",
    "Practitioner",
    "PractitionerList",
    "PractitionerLocation",
    "PractitionerSessionFee",
    "Preauthorization",
    "PreauthorizationAmount",
    "PreauthorizationApproval",
    "PreauthorizationApprovedEvent",
    "PreauthorizationCancelledEvent",
    "PreauthorizationDecision",
    "PreauthorizationDecisionOutcome",
    "PreauthorizationDecisionPolicy",
    "PreauthorizationDenial",
    "PreauthorizationDeniedEvent",
    "PreauthorizationEventData",
    "PreauthorizationEventDataAmount",
    "PreauthorizationEventDataStatus",
    "PreauthorizationExpiredEvent",
    "PreauthorizationInput",
    "PreauthorizationList",
    "PreauthorizationRequestedEvent",
    "PreauthorizationStatus",
    "Receivables",
    "ReceivablesCurrenciesItem",
    "ReceivablesCurrenciesItemOutstanding",
    "ReceivablesCurrenciesItemPayersItem",
    "ReceivablesCurrenciesItemPayersItemOutstanding",
    "ReceivablesCurrenciesItemPractitionersItem",
    "ReceivablesCurrenciesItemPractitionersItemOutstanding",
    "Remittance",
    "RemittanceAllocationsItem",
    "RemittanceAmount",
    "RemittanceEventData",
    "RemittanceEventDataAmount",
    "RemittanceEventDataStatus",
    "RemittanceExceptionEvent",
    "RemittanceInput",
    "RemittanceInputAllocationsItem",
    "RemittanceInputCurrency",
    "RemittanceList",
    "RemittanceReconciledEvent",
    "RemittanceReconciliation",
    "RemittanceReconciliationNextStepsItem",
    "RemittanceReconciliationNextStepsItemOperation",
    "RemittanceReconciliationReasonType1",
    "RemittanceReconciliationReasonType2Type1",
    "RemittanceReconciliationReasonType3Type1",
    "RemittanceReconciliationSettlementsItem",
    "RemittanceReconciliationSettlementsItemAmount",
    "RemittanceReconciliationSettlementsItemReasonType1",
    "RemittanceReconciliationSettlementsItemReasonType2Type1",
    "RemittanceReconciliationSettlementsItemReasonType3Type1",
    "RemittanceReconciliationSettlementsItemStatus",
    "RemittanceReconciliationStatus",
    "RemittanceStatus",
    "ReversalInput",
    "SandboxPingEvent",
    "Session",
    "SessionFormat",
    "SessionInput",
    "SessionInputFormat",
    "SessionInputPaymentSource",
    "SessionList",
    "SessionPaymentSource",
    "SessionStatus",
    "Settlement",
    "SettlementAllocationsItem",
    "SettlementAmount",
    "SettlementInput",
    "SettlementInputAllocationsItem",
    "SettlementInputCurrency",
    "SettlementList",
    "SettlementStatus",
    "Slot",
    "SlotFormat",
    "SlotList",
    "Token",
    "TokenInput",
    "TokenInputScopesItem",
    "TokenScopesItem",
    "ValuationRun",
    "ValuationRunClaim",
    "ValuationRunClaimAgeBand",
    "ValuationRunClaimAmount",
    "ValuationRunClaimList",
    "ValuationRunClaimStatus",
    "ValuationRunDevelopmentType0",
    "ValuationRunDevelopmentType0MeasuresItem",
    "ValuationRunDevelopmentType0Origin",
    "ValuationRunDevelopmentType0Step",
    "ValuationRunGroupByItem",
    "ValuationRunGroupsItem",
    "ValuationRunGroupsItemAgeBandType1",
    "ValuationRunGroupsItemAgeBandType2Type1",
    "ValuationRunGroupsItemAgeBandType3Type1",
    "ValuationRunGroupsItemAmount",
    "ValuationRunGroupsItemStatusType1",
    "ValuationRunGroupsItemStatusType2Type1",
    "ValuationRunGroupsItemStatusType3Type1",
    "ValuationRunInput",
    "ValuationRunInputDevelopment",
    "ValuationRunInputDevelopmentMeasuresItem",
    "ValuationRunInputDevelopmentOrigin",
    "ValuationRunInputDevelopmentStep",
    "ValuationRunInputGroupByItem",
    "ValuationRunInputKind",
    "ValuationRunKind",
    "ValuationRunStatus",
    "ValuationRunSummary",
    "ValuationRunSummaryDevelopmentType0",
    "ValuationRunSummaryDevelopmentType0MeasuresItem",
    "ValuationRunSummaryDevelopmentType0Origin",
    "ValuationRunSummaryDevelopmentType0Step",
    "ValuationRunSummaryGroupByItem",
    "ValuationRunSummaryKind",
    "ValuationRunSummaryList",
    "ValuationRunSummaryStatus",
    "ValuationRunSummaryTotalsItem",
    "ValuationRunSummaryTotalsItemAmount",
    "ValuationRunTotalsItem",
    "ValuationRunTotalsItemAmount",
    "ValuationRunTriangleType0",
    "ValuationRunTriangleType0CurrenciesItem",
    "ValuationRunTriangleType0CurrenciesItemMeasuresItem",
    "ValuationRunTriangleType0CurrenciesItemMeasuresItemMeasure",
    "WebhookDelivery",
    "WebhookDeliveryRecord",
    "WebhookDeliveryRecordHistoryItem",
    "WebhookDeliveryRecordList",
    "WebhookDeliveryRecordStatus",
    "WebhookDeliveryRecordType",
    "WebhookEndpoint",
    "WebhookEndpointEventsItem",
    "WebhookEndpointInput",
    "WebhookEndpointInputEventsItem",
    "WebhookEndpointList",
    "WebhookEndpointStatus",
    "WebhookEndpointUpdate",
    "WebhookEndpointUpdateEventsItem",
    "WebhookEndpointUpdateStatus",
    "WebhookEndpointWithSecret",
    "WebhookEndpointWithSecretEventsItem",
    "WebhookEndpointWithSecretStatus",
    "WebhookRecovery",
    "WebhookRecoveryInput",
)
