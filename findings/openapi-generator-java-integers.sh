#!/usr/bin/env bash
# openapi-generator 7.25.0 gives an integer without a format the Java type Integer, also if its maximum is 2^53 - 1. The client of the
# default library reads 3000000000 as -1294967296 without an error; the client of the library native reports an overflow. With
# format: int64 the type is Long.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

maven() { mvn --batch-mode --quiet -Dstyle.color=never "$@"; }
maven dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory="$folder" -Dmdep.stripVersion=true
cat > api.yaml <<'YAML'
openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /payment:
    get:
      operationId: getPayment
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } } }
components:
  schemas:
    Payment:
      type: object
      required: [plain, wide]
      properties:
        plain: { type: integer, minimum: 0, maximum: 9007199254740991 }
        wide: { type: integer, format: int64, minimum: 0, maximum: 9007199254740991 }
YAML
cat > Main.java <<'JAVA'
import org.openapitools.client.model.Payment;

public class Main {
  public static void main(String[] args) {
    try {
      Payment payment = Payment.fromJson("{\"plain\": 3000000000, \"wide\": 3000000000}");
      System.out.println(payment.getPlain().getClass().getSimpleName() + " " + payment.getPlain() + ", "
          + payment.getWide().getClass().getSimpleName() + " " + payment.getWide());
    } catch (Exception error) {
      System.out.println("error: " + error.getMessage().split("\n")[0]);
    }
  }
}
JAVA
# The client of the library native has no method fromJson: its ApiClient has the mapper.
sed 's/Payment.fromJson(\(.*\));/new org.openapitools.client.ApiClient().getObjectMapper().readValue(\1, Payment.class);/' Main.java > Native.java
for library in okhttp-gson native; do
  options=$([ "$library" = native ] && echo '--library native' || true)
  # shellcheck disable=SC2086
  java -jar openapi-generator-cli.jar generate -i api.yaml -g java -o "$library" --global-property apiTests=false,modelTests=false $options > "$library.log" 2>&1
  cp "$([ "$library" = native ] && echo Native.java || echo Main.java)" "$library/src/main/java/Main.java"
  (cd "$library" && maven -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath.txt > /dev/null)
  echo "$library: $(java -cp "$library/target/classes:$(cat "$library/classpath.txt")" Main)"
done | tee output.txt

grep -q '^okhttp-gson: Integer -1294967296, Long 3000000000$' output.txt
grep -q '^native: error: .*(3000000000) out of range of int' output.txt
echo 'as described'
