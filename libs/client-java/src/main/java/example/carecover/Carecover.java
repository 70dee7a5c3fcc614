package example.carecover;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client of the API, with one method per group of operations. It is safe for concurrent use.
 *
 * <pre>{@code
 * Carecover carecover = Carecover.builder(System.getenv("CARECOVER_URL"), System.getenv("CARECOVER_KEY")).build();
 * Claim claim = carecover.claims().retrieve("clm_0199f2a4");
 * }</pre>
 */
public final class Carecover {
  private final Transport transport;

  private Carecover(Transport transport) {
    this.transport = transport;
  }

  /**
   * Returns a builder of a client.
   *
   * @param baseUrl the URL of the API with its version, such as {@code https://localhost:8443/v1}
   * @param apiKey a secret key ({@code sk_…}) or a token ({@code pt_…})
   * @throws IllegalArgumentException if one of them is invalid, for example because an environment variable is not set
   */
  public static Builder builder(String baseUrl, String apiKey) {
    return new Builder(baseUrl, apiKey);
  }

  public ApiService api() {
    return new ApiService(transport);
  }

  public BookingsService bookings() {
    return new BookingsService(transport);
  }

  public BulkJobsService bulkJobs() {
    return new BulkJobsService(transport);
  }

  public ClaimsService claims() {
    return new ClaimsService(transport);
  }

  public ConsentsService consents() {
    return new ConsentsService(transport);
  }

  public CoveragesService coverages() {
    return new CoveragesService(transport);
  }

  public EligibilityChecksService eligibilityChecks() {
    return new EligibilityChecksService(transport);
  }

  public EventsService events() {
    return new EventsService(transport);
  }

  public PaymentAdvicesService paymentAdvices() {
    return new PaymentAdvicesService(transport);
  }

  public PractitionersService practitioners() {
    return new PractitionersService(transport);
  }

  public PreauthorizationsService preauthorizations() {
    return new PreauthorizationsService(transport);
  }

  public ReceivablesService receivables() {
    return new ReceivablesService(transport);
  }

  public RemittancesService remittances() {
    return new RemittancesService(transport);
  }

  public SessionsService sessions() {
    return new SessionsService(transport);
  }

  public SettlementsService settlements() {
    return new SettlementsService(transport);
  }

  public WaitingTestClockService testClock() {
    return new WaitingTestClockService(transport);
  }

  public TestClocksService testClocks() {
    return new TestClocksService(transport);
  }

  public TestHelpersService testHelpers() {
    return new TestHelpersService(transport);
  }

  public TokensService tokens() {
    return new TokensService(transport);
  }

  public ValuationRunsService valuationRuns() {
    return new ValuationRunsService(transport);
  }

  public WebhookEndpointsService webhookEndpoints() {
    return new WebhookEndpointsService(transport);
  }

  /** The options of a client. */
  public static final class Builder {
    private final String baseUrl;
    private final String apiKey;
    private Duration timeout = Duration.ofSeconds(30);
    private int maxRetries = 4;
    private Path caCertificate;
    private HttpClient httpClient;

    private Builder(String baseUrl, String apiKey) {
      Input.require(
          "baseUrl must be the URL of the API with its version, such as https://localhost:8443/v1",
          Input.findBaseUrlProblem(baseUrl));
      Input.require("apiKey must be a secret key (sk_…) or a token (pt_…)", Input.findSecretProblem(apiKey));
      this.baseUrl = baseUrl;
      this.apiKey = apiKey;
    }

    /** Limits each attempt of a call, from the connection to the end of the response. The default is 30 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = Input.requirePositive(timeout);
      return this;
    }

    /** Sets the number of attempts after the first one. The default is 4. */
    public Builder maxRetries(int maxRetries) {
      this.maxRetries = Input.requireNotNegative(maxRetries);
      return this;
    }

    /** Trusts the authorities in a PEM file, and no others. A local stack needs it. */
    public Builder caCertificate(Path caCertificate) {
      this.caCertificate = caCertificate;
      return this;
    }

    /**
     * Replaces the HTTP client, for example to use a proxy. Without it, the proxy is that of the system properties, such as {@code
     * https.proxyHost}.
     */
    public Builder httpClient(HttpClient httpClient) {
      this.httpClient = httpClient;
      return this;
    }

    /**
     * Returns the client.
     *
     * @throws IllegalArgumentException if the HTTP client follows redirects, if there are an HTTP client and a certificate, or if the
     *     certificate can't be read
     */
    public Carecover build() {
      return new Carecover(new Transport(baseUrl, apiKey, timeout, maxRetries, chooseHttpClient()));
    }

    private HttpClient chooseHttpClient() {
      if (httpClient == null) return createHttpClient();
      if (caCertificate != null)
        throw new IllegalArgumentException("an httpClient has its own certificates: leave caCertificate out");
      // A followed 301 or 302 repeats a POST as a GET, whose response would look like a result.
      if (httpClient.followRedirects() != HttpClient.Redirect.NEVER)
        throw new IllegalArgumentException("the httpClient must not follow redirects");
      return httpClient;
    }

    private HttpClient createHttpClient() {
      HttpClient.Builder builder =
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
      return caCertificate == null ? builder.build() : builder.sslContext(trust(caCertificate)).build();
    }

    private static SSLContext trust(Path file) {
      try (InputStream text = Files.newInputStream(file)) {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(text))
          store.setCertificateEntry("authority-" + count++, each);
        if (count == 0) throw new IllegalArgumentException("the file caCertificate has no certificate");
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
      } catch (IOException | GeneralSecurityException error) {
        throw new IllegalArgumentException("caCertificate must be a PEM file that can be read: " + error, error);
      }
    }
  }
}
