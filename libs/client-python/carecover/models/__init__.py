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
from .age_band import AgeBand
from .api import Api
from .availability import Availability
from .availability_weekly_hours_item import AvailabilityWeeklyHoursItem
from .booking import Booking
from .booking_input import BookingInput
from .booking_list import BookingList
from .booking_status import BookingStatus
from .bulk_job import BulkJob
from .bulk_job_completed_event import BulkJobCompletedEvent
from .bulk_job_counts import BulkJobCounts
from .bulk_job_dry_run import BulkJobDryRun
from .bulk_job_event_data import BulkJobEventData
from .bulk_job_event_data_counts import BulkJobEventDataCounts
from .bulk_job_kind import BulkJobKind
from .bulk_job_list import BulkJobList
from .bulk_job_on_error import BulkJobOnError
from .bulk_job_result import BulkJobResult
from .bulk_job_result_error_type_0 import BulkJobResultErrorType0
from .bulk_job_result_list import BulkJobResultList
from .bulk_job_result_status import BulkJobResultStatus
from .bulk_job_status import BulkJobStatus
from .cancellation_input import CancellationInput
from .claim import Claim
from .claim_amount import ClaimAmount
from .claim_approved_event import ClaimApprovedEvent
from .claim_cancelled_event import ClaimCancelledEvent
from .claim_denied_event import ClaimDeniedEvent
from .claim_event_data import ClaimEventData
from .claim_event_data_amount import ClaimEventDataAmount
from .claim_fact_type import ClaimFactType
from .claim_information_request import ClaimInformationRequest
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
from .claim_valuation_policy_type_0 import ClaimValuationPolicyType0
from .consent import Consent
from .consent_input import ConsentInput
from .consent_status import ConsentStatus
from .coverage_batch_input import CoverageBatchInput
from .coverage_batch_record import CoverageBatchRecord
from .coverage_batch_result import CoverageBatchResult
from .coverage_input import CoverageInput
from .coverage_observation import CoverageObservation
from .coverage_observation_amount_limit import CoverageObservationAmountLimit
from .coverage_source import CoverageSource
from .coverage_status import CoverageStatus
from .created_webhook_endpoint import CreatedWebhookEndpoint
from .currency import Currency
from .development_measure import DevelopmentMeasure
from .development_origin import DevelopmentOrigin
from .development_step import DevelopmentStep
from .due_item_kind import DueItemKind
from .eligibility_check import EligibilityCheck
from .eligibility_check_amount import EligibilityCheckAmount
from .eligibility_check_input import EligibilityCheckInput
from .eligibility_check_service import EligibilityCheckService
from .eligibility_reason_code import EligibilityReasonCode
from .eligibility_status import EligibilityStatus
from .environment import Environment
from .error import Error
from .error_code import ErrorCode
from .error_error import ErrorError
from .event_list import EventList
from .event_type import EventType
from .evidence_input import EvidenceInput
from .information_request_input import InformationRequestInput
from .information_request_status import InformationRequestStatus
from .list_order import ListOrder
from .payer_balances import PayerBalances
from .payer_balances_data_item import PayerBalancesDataItem
from .payment_adjustment_kind import PaymentAdjustmentKind
from .payment_advice import PaymentAdvice
from .payment_advice_adjustments_item import PaymentAdviceAdjustmentsItem
from .payment_advice_allocations_item import PaymentAdviceAllocationsItem
from .payment_advice_denials_item import PaymentAdviceDenialsItem
from .payment_advice_input import PaymentAdviceInput
from .payment_advice_input_adjustments_item import PaymentAdviceInputAdjustmentsItem
from .payment_advice_input_allocations_item import PaymentAdviceInputAllocationsItem
from .payment_advice_input_denials_item import PaymentAdviceInputDenialsItem
from .payment_advice_input_recoveries_item import PaymentAdviceInputRecoveriesItem
from .payment_advice_list import PaymentAdviceList
from .payment_advice_recoveries_item import PaymentAdviceRecoveriesItem
from .payment_advice_status import PaymentAdviceStatus
from .payment_source import PaymentSource
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
from .preauthorization_decision_policy import PreauthorizationDecisionPolicy
from .preauthorization_denial import PreauthorizationDenial
from .preauthorization_denied_event import PreauthorizationDeniedEvent
from .preauthorization_event_data import PreauthorizationEventData
from .preauthorization_event_data_amount import PreauthorizationEventDataAmount
from .preauthorization_expired_event import PreauthorizationExpiredEvent
from .preauthorization_input import PreauthorizationInput
from .preauthorization_list import PreauthorizationList
from .preauthorization_outcome import PreauthorizationOutcome
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
from .reconciliation_operation import ReconciliationOperation
from .reconciliation_reason import ReconciliationReason
from .remittance import Remittance
from .remittance_allocations_item import RemittanceAllocationsItem
from .remittance_amount import RemittanceAmount
from .remittance_event_data import RemittanceEventData
from .remittance_event_data_amount import RemittanceEventDataAmount
from .remittance_exception_event import RemittanceExceptionEvent
from .remittance_input import RemittanceInput
from .remittance_input_allocations_item import RemittanceInputAllocationsItem
from .remittance_list import RemittanceList
from .remittance_reconciled_event import RemittanceReconciledEvent
from .remittance_reconciliation import RemittanceReconciliation
from .remittance_reconciliation_next_steps_item import (
    RemittanceReconciliationNextStepsItem,
)
from .remittance_reconciliation_settlements_item import (
    RemittanceReconciliationSettlementsItem,
)
from .remittance_reconciliation_settlements_item_amount import (
    RemittanceReconciliationSettlementsItemAmount,
)
from .remittance_status import RemittanceStatus
from .reversal_input import ReversalInput
from .sandbox_ping_event import SandboxPingEvent
from .scope import Scope
from .session import Session
from .session_format import SessionFormat
from .session_input import SessionInput
from .session_list import SessionList
from .session_status import SessionStatus
from .settlement import Settlement
from .settlement_allocations_item import SettlementAllocationsItem
from .settlement_amount import SettlementAmount
from .settlement_input import SettlementInput
from .settlement_input_allocations_item import SettlementInputAllocationsItem
from .settlement_input_shares_item import SettlementInputSharesItem
from .settlement_list import SettlementList
from .settlement_status import SettlementStatus
from .simulated_project import SimulatedProject
from .slot import Slot
from .slot_list import SlotList
from .test_clock import TestClock
from .test_clock_advance_input import TestClockAdvanceInput
from .test_clock_input import TestClockInput
from .test_clock_next_due_type_0 import TestClockNextDueType0
from .test_clock_status import TestClockStatus
from .token import Token
from .token_input import TokenInput
from .unknown_event import UnknownEvent
from .unknown_event_data import UnknownEventData
from .unmatched_reason import UnmatchedReason
from .valuation_dimension import ValuationDimension
from .valuation_run import ValuationRun
from .valuation_run_claim import ValuationRunClaim
from .valuation_run_claim_amount import ValuationRunClaimAmount
from .valuation_run_claim_list import ValuationRunClaimList
from .valuation_run_development_type_0 import ValuationRunDevelopmentType0
from .valuation_run_groups_item import ValuationRunGroupsItem
from .valuation_run_groups_item_amount import ValuationRunGroupsItemAmount
from .valuation_run_input import ValuationRunInput
from .valuation_run_input_development import ValuationRunInputDevelopment
from .valuation_run_kind import ValuationRunKind
from .valuation_run_status import ValuationRunStatus
from .valuation_run_summary import ValuationRunSummary
from .valuation_run_summary_development_type_0 import (
    ValuationRunSummaryDevelopmentType0,
)
from .valuation_run_summary_list import ValuationRunSummaryList
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
from .webhook_delivery import WebhookDelivery
from .webhook_delivery_record import WebhookDeliveryRecord
from .webhook_delivery_record_history_item import WebhookDeliveryRecordHistoryItem
from .webhook_delivery_record_list import WebhookDeliveryRecordList
from .webhook_delivery_status import WebhookDeliveryStatus
from .webhook_endpoint import WebhookEndpoint
from .webhook_endpoint_input import WebhookEndpointInput
from .webhook_endpoint_list import WebhookEndpointList
from .webhook_endpoint_status import WebhookEndpointStatus
from .webhook_endpoint_update import WebhookEndpointUpdate
from .webhook_endpoint_with_secret import WebhookEndpointWithSecret
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
    "AgeBand",
    "Api",
    "Availability",
    "AvailabilityWeeklyHoursItem",
    "Booking",
    "BookingInput",
    "BookingList",
    "BookingStatus",
    "BulkJob",
    "BulkJobCompletedEvent",
    "BulkJobCounts",
    "BulkJobDryRun",
    "BulkJobEventData",
    "BulkJobEventDataCounts",
    "BulkJobKind",
    "BulkJobList",
    "BulkJobOnError",
    "BulkJobResult",
    "BulkJobResultErrorType0",
    "BulkJobResultList",
    "BulkJobResultStatus",
    "BulkJobStatus",
    "CancellationInput",
    "Claim",
    "ClaimAmount",
    "ClaimApprovedEvent",
    "ClaimCancelledEvent",
    "ClaimDeniedEvent",
    "ClaimEventData",
    "ClaimEventDataAmount",
    "ClaimFactType",
    "ClaimInformationRequest",
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
    "ClaimValuationPolicyType0",
    "Consent",
    "ConsentInput",
    "ConsentStatus",
    "CoverageBatchInput",
    "CoverageBatchRecord",
    "CoverageBatchResult",
    "CoverageInput",
    "CoverageObservation",
    "CoverageObservationAmountLimit",
    "CoverageSource",
    "CoverageStatus",
    "CreatedWebhookEndpoint",
    "Currency",
    "DevelopmentMeasure",
    "DevelopmentOrigin",
    "DevelopmentStep",
    "DueItemKind",
    "EligibilityCheck",
    "EligibilityCheckAmount",
    "EligibilityCheckInput",
    "EligibilityCheckService",
    "EligibilityReasonCode",
    "EligibilityStatus",
    "Environment",
    "Error",
    "ErrorCode",
    "ErrorError",
    "EventList",
    "EventType",
    "EvidenceInput",
    "InformationRequestInput",
    "InformationRequestStatus",
    "ListOrder",
    "PayerBalances",
    "PayerBalancesDataItem",
    "PaymentAdjustmentKind",
    "PaymentAdvice",
    "PaymentAdviceAdjustmentsItem",
    "PaymentAdviceAllocationsItem",
    "PaymentAdviceDenialsItem",
    "PaymentAdviceInput",
    "PaymentAdviceInputAdjustmentsItem",
    "PaymentAdviceInputAllocationsItem",
    "PaymentAdviceInputDenialsItem",
    "PaymentAdviceInputRecoveriesItem",
    "PaymentAdviceList",
    "PaymentAdviceRecoveriesItem",
    "PaymentAdviceStatus",
    "PaymentSource",
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
    "PreauthorizationDecisionPolicy",
    "PreauthorizationDenial",
    "PreauthorizationDeniedEvent",
    "PreauthorizationEventData",
    "PreauthorizationEventDataAmount",
    "PreauthorizationExpiredEvent",
    "PreauthorizationInput",
    "PreauthorizationList",
    "PreauthorizationOutcome",
    "PreauthorizationRequestedEvent",
    "PreauthorizationStatus",
    "Receivables",
    "ReceivablesCurrenciesItem",
    "ReceivablesCurrenciesItemOutstanding",
    "ReceivablesCurrenciesItemPayersItem",
    "ReceivablesCurrenciesItemPayersItemOutstanding",
    "ReceivablesCurrenciesItemPractitionersItem",
    "ReceivablesCurrenciesItemPractitionersItemOutstanding",
    "ReconciliationOperation",
    "ReconciliationReason",
    "Remittance",
    "RemittanceAllocationsItem",
    "RemittanceAmount",
    "RemittanceEventData",
    "RemittanceEventDataAmount",
    "RemittanceExceptionEvent",
    "RemittanceInput",
    "RemittanceInputAllocationsItem",
    "RemittanceList",
    "RemittanceReconciledEvent",
    "RemittanceReconciliation",
    "RemittanceReconciliationNextStepsItem",
    "RemittanceReconciliationSettlementsItem",
    "RemittanceReconciliationSettlementsItemAmount",
    "RemittanceStatus",
    "ReversalInput",
    "SandboxPingEvent",
    "Scope",
    "Session",
    "SessionFormat",
    "SessionInput",
    "SessionList",
    "SessionStatus",
    "Settlement",
    "SettlementAllocationsItem",
    "SettlementAmount",
    "SettlementInput",
    "SettlementInputAllocationsItem",
    "SettlementInputSharesItem",
    "SettlementList",
    "SettlementStatus",
    "SimulatedProject",
    "Slot",
    "SlotList",
    "TestClock",
    "TestClockAdvanceInput",
    "TestClockInput",
    "TestClockNextDueType0",
    "TestClockStatus",
    "Token",
    "TokenInput",
    "UnknownEvent",
    "UnknownEventData",
    "UnmatchedReason",
    "ValuationDimension",
    "ValuationRun",
    "ValuationRunClaim",
    "ValuationRunClaimAmount",
    "ValuationRunClaimList",
    "ValuationRunDevelopmentType0",
    "ValuationRunGroupsItem",
    "ValuationRunGroupsItemAmount",
    "ValuationRunInput",
    "ValuationRunInputDevelopment",
    "ValuationRunKind",
    "ValuationRunStatus",
    "ValuationRunSummary",
    "ValuationRunSummaryDevelopmentType0",
    "ValuationRunSummaryList",
    "ValuationRunSummaryTotalsItem",
    "ValuationRunSummaryTotalsItemAmount",
    "ValuationRunTotalsItem",
    "ValuationRunTotalsItemAmount",
    "ValuationRunTriangleType0",
    "ValuationRunTriangleType0CurrenciesItem",
    "ValuationRunTriangleType0CurrenciesItemMeasuresItem",
    "WebhookDelivery",
    "WebhookDeliveryRecord",
    "WebhookDeliveryRecordHistoryItem",
    "WebhookDeliveryRecordList",
    "WebhookDeliveryStatus",
    "WebhookEndpoint",
    "WebhookEndpointInput",
    "WebhookEndpointList",
    "WebhookEndpointStatus",
    "WebhookEndpointUpdate",
    "WebhookEndpointWithSecret",
    "WebhookRecovery",
    "WebhookRecoveryInput",
)
