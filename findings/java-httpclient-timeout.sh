#!/usr/bin/env bash
# The timeout of a java.net.http.HttpRequest ends with the headers of the response (JDK 17 and 25). If the server then sends nothing, a call with
# BodyHandlers.ofString() does not end, although the timeout is documented as the time within which the response must be received.
# And the client sends a GET a second time if the connection ended without a response; a POST it sends once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > Main.java <<'JAVA'
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

public class Main {
  public static void main(String[] args) throws Exception {
    for (String head : new String[] {"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"}) {
      ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      Thread thread = new Thread(() -> {
        try {
          Socket socket = server.accept();
          socket.getOutputStream().write(head.getBytes());
          Thread.sleep(60_000);
        } catch (Exception end) {
          // The program has ended.
        }
      });
      thread.setDaemon(true);
      thread.start();
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
          .timeout(Duration.ofSeconds(1)).build();
      String outcome;
      try {
        HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofString()).get(10, TimeUnit.SECONDS);
        outcome = "a response";
      } catch (TimeoutException error) {
        outcome = "nothing within 10 seconds";
      } catch (java.util.concurrent.ExecutionException error) {
        outcome = error.getCause().getClass().getSimpleName();
      }
      System.out.println((head.isEmpty() ? "without headers" : "with headers and no body") + ": " + outcome);
    }
    for (String method : new String[] {"GET", "POST"}) {
      ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      AtomicInteger connections = new AtomicInteger();
      Thread thread = new Thread(() -> {
        try {
          while (true) {
            Socket socket = server.accept();
            connections.incrementAndGet();
            socket.getInputStream().read(new byte[10_000]);
            socket.close();
          }
        } catch (Exception end) {
          // The program has ended.
        }
      });
      thread.setDaemon(true);
      thread.start();
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
          .method(method, BodyPublishers.noBody()).build();
      String outcome = "a response";
      try {
        HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      } catch (java.io.IOException error) {
        outcome = "an IOException";
      }
      System.out.println(method + " to a server that ends the connection: " + outcome + " after " + connections + " requests");
    }
    System.exit(0);
  }
}
JAVA
java -version 2>&1 | head -1
java Main.java | tee output.txt

grep -q '^without headers: HttpTimeoutException$' output.txt
grep -q '^with headers and no body: nothing within 10 seconds$' output.txt
grep -q '^GET to a server that ends the connection: an IOException after 2 requests$' output.txt
grep -q '^POST to a server that ends the connection: an IOException after 1 requests$' output.txt
echo 'as described'
