import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import example.carecover.CallOptions;
import example.carecover.Carecover;
import example.carecover.CarecoverApiException;
import example.carecover.CarecoverConnectionException;
import example.carecover.WebhookVerificationException;
import example.carecover.Webhooks;
import example.carecover.model.AdjudicationInput;
import example.carecover.model.AdjudicationInputLine;
import example.carecover.model.AdjudicationInputLineAmount;
import example.carecover.model.Booking;
import example.carecover.model.BookingInput;
import example.carecover.model.Claim;
import example.carecover.model.ClaimEventData;
import example.carecover.model.ClaimFactType;
import example.carecover.model.ClaimInput;
import example.carecover.model.ClaimInputLine;
import example.carecover.model.ClaimValuation;
import example.carecover.model.CoverageInput;
import example.carecover.model.CoverageStatus;
import example.carecover.model.CreatedWebhookEndpoint;
import example.carecover.model.Currency;
import example.carecover.model.EligibilityCheck;
import example.carecover.model.EligibilityCheckInput;
import example.carecover.model.Event;
import example.carecover.model.EventType;
import example.carecover.model.GetClaimValuationQuery;
import example.carecover.model.ListClaimsQuery;
import example.carecover.model.ListPractitionerSlotsQuery;
import example.carecover.model.PaymentSource;
import example.carecover.model.Preauthorization;
import example.carecover.model.PreauthorizationApproval;
import example.carecover.model.PreauthorizationInput;
import example.carecover.model.Remittance;
import example.carecover.model.RemittanceInput;
import example.carecover.model.RemittanceInputAllocation;
import example.carecover.model.SessionFormat;
import example.carecover.model.SettlementInput;
import example.carecover.model.Slot;
import example.carecover.model.WebhookEndpointInput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The story of the quick start with the largest amount: from a coverage to a settled claim, a received webhook and two valuations. */
public class Journey {
  static final long LARGEST = 9_007_199_254_740_991L;
  static final long PAID = LARGEST - 2;
  static final String SERVICE = "psy.individual.50";

  static volatile String signingSecret = "";
  static final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      try {
        events.add(Webhooks.verify(body, exchange.getRequestHeaders()::getFirst, signingSecret));
        exchange.sendResponseHeaders(204, -1);
      } catch (WebhookVerificationException error) {
        exchange.sendResponseHeaders(400, -1);
      }
    }
  }

  static String random(String start) {
    return start + UUID.randomUUID();
  }

  public static void main(String[] args) throws Exception {
    Carecover carecover = Carecover.builder(System.getenv("CARECOVER_URL"), System.getenv("CARECOVER_KEY"))
        .caCertificate(Path.of(System.getenv("SSL_CERT_FILE")))
        .build();
    try {
      Carecover.builder(System.getenv("CARECOVER_URL"), System.getenv("CARECOVER_KEY")).maxRetries(0).build().api().retrieve();
    } catch (CarecoverConnectionException error) {
      System.out.println("untrusted " + error.getMessage().endsWith("(set caCertificate to the authority's file)"));
    }
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/carecover", Journey::receive);
    server.start();
    try {
      run(carecover, "http://127.0.0.1:" + server.getAddress().getPort() + "/carecover");
    } finally {
      server.stop(0);
    }
  }

  static void run(Carecover carecover, String receiver) throws InterruptedException {
    Instant now = Instant.now();
    CreatedWebhookEndpoint endpoint = carecover.webhookEndpoints().create(
        new WebhookEndpointInput().url(receiver).events(List.of(EventType.CLAIM_SETTLED)));
    signingSecret = endpoint.getSigningSecret() != null
        ? endpoint.getSigningSecret()
        : carecover.webhookEndpoints().rotateSecret(endpoint.getId()).getSigningSecret();

    String member = random("member:");
    carecover.coverages().record(new CoverageInput()
        .sourceContractReference("contract/java")
        .externalCoverageReference(random("coverage/"))
        .sourceVersion("1")
        .tenantReference("group/java")
        .memberReference(member)
        .serviceCode(SERVICE)
        .planName("Outpatient")
        .status(CoverageStatus.ACTIVE)
        .currency(Currency.KES)
        .amountLimit(LARGEST)
        .remainingSessions(6)
        .authorizationRequired(true)
        .coordinationPriority(1)
        .validFrom(now.minus(Duration.ofDays(30)))
        .validUntil(now.plus(Duration.ofDays(365)))
        .observedAt(now.minus(Duration.ofMinutes(1)))
        .evidenceReferences(List.of("registry/java")));

    String practitioner = carecover.practitioners().list().getData().get(0).getId();
    Slot slot = carecover.practitioners().slots(practitioner, new ListPractitionerSlotsQuery()
        .from(now.plus(Duration.ofDays(1)))
        .to(now.plus(Duration.ofDays(14)))
        .durationMinutes(50)
        .format(SessionFormat.ONLINE)).getData().get(0);
    Booking booking = carecover.bookings().create(new BookingInput()
        .practitionerId(slot.getPractitionerId())
        .startsAt(slot.getStartsAt())
        .endsAt(slot.getEndsAt())
        .format(slot.getFormat())
        .paymentSource(PaymentSource.COVERED));

    EligibilityCheck check = carecover.eligibilityChecks().create(new EligibilityCheckInput()
        .memberReference(member)
        .serviceCode(SERVICE)
        .scheduledAt(booking.getStartsAt())
        .amount(LARGEST)
        .currency(Currency.KES));
    System.out.println(check.getStatus() + " " + check.getAmount().getRequested());
    Preauthorization requested = carecover.preauthorizations().create(
        new PreauthorizationInput().eligibilityCheckId(check.getId()).bookingId(booking.getId()));
    Preauthorization approved = carecover.preauthorizations().decide(requested.getId(), new PreauthorizationApproval()
        .approvedAmount(LARGEST)
        .validUntil(now.plus(Duration.ofDays(30)))
        .reasonCodes(List.of("within_policy"))
        .policyReference("policy:outpatient")
        .policyVersion("2025.1")
        .evidenceReferences(List.of("referral:8812")));
    System.out.println("pre-authorization " + approved.getStatus());

    carecover.testHelpers().deliverSession(booking.getSessionId());
    ClaimInput input = new ClaimInput()
        .eligibilityCheckId(check.getId())
        .sessionId(booking.getSessionId())
        .preauthorizationId(approved.getId())
        .providerClaimReference(random("INV-"))
        .lines(List.of(
            new ClaimInputLine().codeSystem("CPT").serviceCode(SERVICE).units(1).amount(LARGEST)));
    CallOptions sameKey = new CallOptions().idempotencyKey(random("claim-"));
    // Two threads use the client at once, as a program that was restarted too early would.
    CompletableFuture<Claim> other =
        CompletableFuture.supplyAsync(() -> carecover.claims().submit(input, sameKey));
    Claim claim = carecover.claims().submit(input, sameKey);
    System.out.println("claim " + claim.getStatus() + " " + claim.getAmount().getBilled());
    System.out.println("one claim " + other.join().getId().equals(claim.getId()));
    carecover.claims().adjudicate(claim.getId(), new AdjudicationInput()
        .policyReference("policy:outpatient")
        .policyVersion("2025.1")
        .reasonCodes(List.of("fee_schedule"))
        .lines(List.of(new AdjudicationInputLine()
            .lineNumber(1)
            .amount(new AdjudicationInputLineAmount()
                .billed(LARGEST)
                .allowed(LARGEST - 1)
                .payer(PAID)
                .patientResponsibility(1)
                .adjustment(1))
            .reasonCodes(List.of("fee_schedule")))));
    Remittance remittance = carecover.remittances().create(new RemittanceInput()
        .payerReference(random("ERA-"))
        .currency(Currency.KES)
        .receivedAt(Instant.now().minusSeconds(60))
        .allocations(List.of(new RemittanceInputAllocation().claimId(claim.getId()).paidAmount(PAID))));
    carecover.settlements().create(new SettlementInput()
        .remittanceId(remittance.getId())
        .sourceReference(random("bank:"))
        .currency(Currency.KES)
        .amount(PAID)
        .observedAt(Instant.now().minusSeconds(1)));

    // Other programs can settle claims in this project too, so this program ignores the events of other claims.
    while (true) {
      Event event = events.poll(30, TimeUnit.SECONDS);
      if (event == null) throw new IllegalStateException("no event was received");
      if (event.getData() instanceof ClaimEventData settled && settled.getId().equals(claim.getId())) {
        System.out.println("received " + event.getType() + " " + settled.getAmount().getSettled());
        break;
      }
    }

    ClaimValuation valued = carecover.claims().valuation(claim.getId(), new GetClaimValuationQuery().valuationAt(Instant.now()));
    Stream<Instant> earlier = valued.getEvents().stream()
        .filter(fact -> fact.getType().equals(ClaimFactType.PARTIALLY_APPROVED))
        .map(fact -> fact.getRecordedAt());
    Stream.concat(earlier, Stream.of(valued.getValuationAt())).forEach(cutoff -> {
      ClaimValuation each = carecover.claims().valuation(claim.getId(), new GetClaimValuationQuery().valuationAt(cutoff));
      System.out.println("valued " + each.getStatus() + " remitted " + each.getAmount().getRemitted()
          + " settled " + each.getAmount().getSettled() + " outstanding " + each.getAmount().getOutstanding());
    });

    boolean isListed = carecover.claims().all(new ListClaimsQuery().limit(1)).stream()
        .anyMatch(each -> each.getId().equals(claim.getId()));
    System.out.println("listed " + isListed);
    try {
      carecover.claims().retrieve("clm_unknown");
    } catch (CarecoverApiException error) {
      System.out.println(error.getStatus() + " " + error.getCode() + " " + error.getRequestId().isPresent());
    }
    carecover.webhookEndpoints().disable(endpoint.getId());
  }
}
