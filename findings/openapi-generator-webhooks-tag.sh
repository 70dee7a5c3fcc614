#!/usr/bin/env bash
# openapi-generator 7.25.0 writes one API file per tag, and one more per tag for the entries of `webhooks` (OpenAPI 3.1). If an entry has
# the tag of operations, its file replaces theirs: the operations are missing in the client, and the exit code is 0. The only sign is a
# warning about a duplicate file path. (Upstream issue 20346.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mvn --batch-mode --quiet -Dstyle.color=never dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory="$folder" -Dmdep.stripVersion=true
describe() {
  cat <<YAML
openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /orders:
    get: { operationId: listOrders, tags: [Orders], responses: { '200': { description: ok } } }
    post: { operationId: createOrder, tags: [Orders], responses: { '201': { description: ok } } }
webhooks:
  orderCreated:
    post: { operationId: receiveOrderCreated, tags: [$1], responses: { '204': { description: ok } } }
YAML
}
for tag in Orders Events; do
  describe "$tag" > "$tag.yaml"
  java -jar openapi-generator-cli.jar generate -i "$tag.yaml" -g java -o "$tag" > "$tag.log" 2>&1
  found=$(grep -rhoE '\b(listOrders|createOrder|receiveOrderCreated)\b\(' "$tag/src/main/java" | sort -u | tr -d '(' | tr '\n' ' ')
  warnings=$(grep -c 'Duplicate file path detected' "$tag.log" || true)
  echo "webhook with the tag $tag: methods ${found:-none}(exit code 0, $warnings warnings of a duplicate path)"
done | tee output.txt

grep -q '^webhook with the tag Orders: methods receiveOrderCreated (' output.txt
grep -q '^webhook with the tag Events: methods createOrder listOrders receiveOrderCreated (' output.txt
echo 'as described'
