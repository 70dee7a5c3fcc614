import java.time.OffsetDateTime
import org.openapitools.client.apis.BenefitsApi
import org.openapitools.client.apis.ClaimsApi
import org.openapitools.client.apis.CoverageApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.CoverageInput
import org.openapitools.client.models.CoverageStatus
import org.openapitools.client.models.Currency
import org.openapitools.client.models.EligibilityCheckInput

const val MOST = 9007199254740991L

fun main(args: Array<String>) {
    val url = System.getenv("CARECOVER_URL")
    ApiClient.accessToken = System.getenv("CARECOVER_KEY")
    val member = args[0]
    val now = OffsetDateTime.now()
    val coverage = CoverageApi(url).createCoverage("$member-coverage", CoverageInput(
        sourceContractReference = "contract:1", externalCoverageReference = member, sourceVersion = "1", tenantReference = "group:1",
        memberReference = member, serviceCode = "psy.individual.50", planName = "Plan", status = CoverageStatus.active,
        currency = Currency.KES, amountLimit = MOST, remainingSessions = 6, authorizationRequired = false, coordinationPriority = 1,
        validFrom = now.minusYears(1), validUntil = now.plusYears(1), observedAt = now.minusHours(1), evidenceReferences = listOf("registry:1"),
    ))
    val benefits = BenefitsApi(url)
    val created = benefits.createEligibilityCheck("$member-check", EligibilityCheckInput(
        memberReference = member, serviceCode = "psy.individual.50", scheduledAt = now.plusHours(1), amount = MOST, currency = Currency.KES,
    ))
    val check = benefits.getEligibilityCheck(created.id)
    val unknown = try {
        ClaimsApi(url).getClaim("clm_unknown")
        "no error"
    } catch (error: ClientException) {
        val body = (error.response as ClientError<*>).body.toString()
        "${error.statusCode} ${Regex("\"code\":\\s*\"(\\w+)\"").find(body)?.groupValues?.get(1)}"
    }
    println("${coverage.amountLimit.value} ${check.amount.requested} ${check.amount.maximumPerSession} ${check.status} $unknown")
    kotlin.system.exitProcess(0)
}
