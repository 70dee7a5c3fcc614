import example.carecover.CallOptions;
import example.carecover.Carecover;
import example.carecover.CarecoverApiException;
import example.carecover.CarecoverConnectionException;
import example.carecover.WebhookVerificationException;
import example.carecover.Webhooks;
import example.carecover.model.CancellationInput;
import example.carecover.model.Claim;
import example.carecover.model.ClaimEventData;
import example.carecover.model.ClaimInput;
import example.carecover.model.ClaimInputLine;
import example.carecover.model.ClaimStatus;
import example.carecover.model.CreatedWebhookEndpoint;
import example.carecover.model.Currency;
import example.carecover.model.EligibilityCheck;
import example.carecover.model.EligibilityCheckInput;
import example.carecover.model.ErrorCode;
import example.carecover.model.Event;
import example.carecover.model.EventType;
import example.carecover.model.ListClaimsQuery;
import example.carecover.model.ListPractitionersQuery;
import example.carecover.model.Practitioner;
import example.carecover.model.TestClock;
import example.carecover.model.WebhookEndpointInput;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** The program of the README, which shows its parts as excerpts. */
public class Readme {
  public static void main(String[] args) {
    // https://…/v1 and sk_test_…
    Carecover carecover = Carecover.builder(System.getenv("CARECOVER_URL"), System.getenv("CARECOVER_KEY")).build();

    for (Practitioner each : carecover.practitioners().list(new ListPractitionersQuery().limit(1)).getData()) {
      System.out.println(each.getId() + " " + each.getName());
    }
    submit(carecover);
    list(carecover);
    cancel(carecover, "clm_0196f2a1");
    System.out.println("a secret of " + register(carecover).length() + " characters");
  }

  static void submit(Carecover carecover) {
    EligibilityCheck check = carecover.eligibilityChecks().create(new EligibilityCheckInput()
        .memberReference("member:88123") // the payer's name of a member whose coverage it recorded
        .serviceCode("psy.individual.50")
        .scheduledAt(Instant.now().plus(Duration.ofDays(1)))
        .amount(450_000) // integers in the currency's minor unit: KES 4,500.00
        .currency(Currency.KES));

    Claim claim = carecover.claims().submit(
        new ClaimInput()
            .eligibilityCheckId(check.getId())
            .sessionId("ses_0196f2a1")
            .providerClaimReference("INV-2025-0042")
            .lines(List.of(new ClaimInputLine()
                .codeSystem("CPT").serviceCode("psy.individual.50").units(1).amount(450_000))),
        new CallOptions().idempotencyKey("claim-of-invoice-2025-0042"));
    System.out.println(check.getStatus() + " " + claim.getId() + " " + claim.getAmount().getBilled());
  }

  static void list(Carecover carecover) {
    ListClaimsQuery query = new ListClaimsQuery().status(ClaimStatus.QUERIED).limit(50);
    for (Claim claim : carecover.claims().all(query)) {
      System.out.println(claim.getId() + " " + claim.getStatus());
    }
  }

  static void cancel(Carecover carecover, String id) {
    try {
      carecover.claims().cancel(id, new CancellationInput().reasonCode("entered_in_error"));
    } catch (CarecoverApiException error) {
      if (error.hasCode(ErrorCode.INVALID_STATE)) System.out.println("too late to cancel");
      else System.out.println(error.getStatus() + " " + error.getMessage() + " " + error.getRequestId());
    } catch (CarecoverConnectionException error) {
      System.out.println("the outcome is unknown: repeat under the same key");
    }
  }

  static String register(Carecover carecover) {
    CreatedWebhookEndpoint endpoint = carecover.webhookEndpoints().create(new WebhookEndpointInput()
        .url("https://example.com/hooks/carecover")
        .events(List.of(EventType.CLAIM_SETTLED)));
    if (endpoint.getSigningSecret() != null) return endpoint.getSigningSecret();
    return carecover.webhookEndpoints().rotateSecret(endpoint.getId()).getSigningSecret();
  }

  static TestClock advance(Carecover carecover) {
    TestClock clock = carecover.testClock().advanceAndWait("2026-01-01T00:00:00Z", each ->
        System.out.println(each.getNow() + " " + each.getCompleted() + " " + each.getRemaining()));
    return clock;
  }

  static Carecover trusting(String url, String key) {
    Carecover carecover = Carecover.builder(url, key)
        .caCertificate(Path.of(System.getenv("SSL_CERT_FILE")))
        .timeout(Duration.ofSeconds(10))
        .build();
    return carecover;
  }

  static int receive(byte[] body, UnaryOperator<String> header, String secret) {
    try {
      Event event = Webhooks.verify(body, header, secret); // a header by its name, such as request::getHeader
      if (event.getData() instanceof ClaimEventData claim) {
        System.out.println(event.getType() + " " + claim.getId());
      }
      return 204;
    } catch (WebhookVerificationException error) {
      return 400;
    }
  }
}
