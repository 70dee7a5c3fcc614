import org.openapitools.client.ApiClient;

class Connection {
  static ApiClient open(String url, String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    return client;
  }
}
