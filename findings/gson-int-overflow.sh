#!/usr/bin/env bash
# Gson 2.15.0 rejects a JSON integer that an int can't hold if it reads text: "Expected an int but was 3000000000". From a JsonElement of
# the same text, it reads -1294967296 without an error. (JsonTreeReader.nextInt calls getAsInt, which cuts the number off.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mvn --batch-mode --quiet -Dstyle.color=never dependency:copy -Dartifact=com.google.code.gson:gson:2.15.0 -DoutputDirectory="$folder" -Dmdep.stripVersion=true
cat > Main.java <<'JAVA'
import com.google.gson.Gson;
import com.google.gson.JsonParser;

public class Main {
  static class Payment { int amount; Integer boxed; }

  static String read(java.util.function.Supplier<Payment> reader) {
    try {
      Payment payment = reader.get();
      return payment.amount + " " + payment.boxed;
    } catch (RuntimeException error) {
      return error.getClass().getSimpleName() + ": " + error.getMessage().split(" at ")[0];
    }
  }

  public static void main(String[] args) {
    Gson gson = new Gson();
    String text = "{\"amount\": 3000000000, \"boxed\": 3000000000}";
    System.out.println("from text: " + read(() -> gson.fromJson(text, Payment.class)));
    System.out.println("from a JsonElement: " + read(() -> gson.fromJson(JsonParser.parseString(text), Payment.class)));
  }
}
JAVA
javac -cp gson.jar Main.java
java -cp gson.jar:. Main | tee output.txt

grep -q '^from text: JsonSyntaxException: .*Expected an int but was 3000000000' output.txt
grep -q '^from a JsonElement: -1294967296 -1294967296$' output.txt
echo 'as described'
