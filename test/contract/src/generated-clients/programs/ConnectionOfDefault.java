import org.openapitools.client.ApiClient;

class Connection {
  static ApiClient open(String url, String key) {
    ApiClient client = new ApiClient().setBasePath(url);
    client.setBearerToken(key);
    return client;
  }
}
