import java.time.OffsetDateTime;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.BenefitsApi;
import org.openapitools.client.api.ClaimsApi;
import org.openapitools.client.api.CoverageApi;
import org.openapitools.client.model.CoverageInput;
import org.openapitools.client.model.CoverageObservation;
import org.openapitools.client.model.CoverageStatus;
import org.openapitools.client.model.Currency;
import org.openapitools.client.model.EligibilityCheck;
import org.openapitools.client.model.EligibilityCheckInput;

public class Journey {
  static final long MOST = 9007199254740991L;

  public static void main(String[] args) throws Exception {
    ApiClient client = Connection.open(System.getenv("CARECOVER_URL"), System.getenv("CARECOVER_KEY"));
    String member = args[0];
    OffsetDateTime now = OffsetDateTime.now();
    CoverageObservation coverage = new CoverageApi(client).createCoverage(member + "-coverage", new CoverageInput()
        .sourceContractReference("contract:1").externalCoverageReference(member).sourceVersion("1").tenantReference("group:1")
        .memberReference(member).serviceCode("psy.individual.50").planName("Plan").status(CoverageStatus.ACTIVE).currency(Currency.KES)
        .amountLimit(MOST).remainingSessions(6).authorizationRequired(false).coordinationPriority(1).validFrom(now.minusYears(1))
        .validUntil(now.plusYears(1)).observedAt(now.minusHours(1)).evidenceReferences(List.of("registry:1")), null);
    BenefitsApi benefits = new BenefitsApi(client);
    EligibilityCheck created = benefits.createEligibilityCheck(member + "-check", new EligibilityCheckInput().memberReference(member)
        .serviceCode("psy.individual.50").scheduledAt(now.plusHours(1)).amount(MOST).currency(Currency.KES), null);
    EligibilityCheck check = benefits.getEligibilityCheck(created.getId(), null);
    String unknown = "no error";
    try {
      new ClaimsApi(client).getClaim("clm_unknown", null);
    } catch (ApiException error) {
      unknown = error.getCode() + " " + error.getResponseBody().replaceAll(".*\"code\":\\s*\"(\\w+)\".*", "$1");
    }
    System.out.println(coverage.getAmountLimit().getValue() + " " + check.getAmount().getRequested() + " "
        + check.getAmount().getMaximumPerSession() + " " + check.getStatus() + " " + unknown);
    System.exit(0);
  }
}
