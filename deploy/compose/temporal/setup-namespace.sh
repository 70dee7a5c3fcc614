#!/bin/sh
# Makes the namespace and registers what operators search by. Safe to run again.
set -eu
namespace="${TEMPORAL_NAMESPACE:-default}"
until temporal operator cluster health > /dev/null 2>&1; do sleep 2; done
temporal operator namespace describe --namespace "$namespace" > /dev/null 2>&1 ||
  temporal operator namespace create --namespace "$namespace" --retention 30d

# A new namespace takes some seconds to be known everywhere.
until attributes="$(temporal operator search-attribute list --namespace "$namespace" 2> /dev/null)"; do sleep 1; done
register() {
  echo "$attributes" | grep -qw "$1" ||
    temporal operator search-attribute create --namespace "$namespace" --name "$1" --type "$2"
}
register ClaimStatus Keyword
register PreauthorizationStatus Keyword
register RemittanceStatus Keyword
register Environment Keyword
register ProjectId Keyword
register DueAt Datetime
