{{/*
Every process: what it runs and what it can reach. The pods, their settings and secrets, and the network policies follow from this table.
  service   the service, whose settings and secrets the process reads
  roles     arguments of the service's main program
  calls     the services that it sends requests to; the gateway serves its only caller, the console, on a port of its own
  callers   the processes that send requests to it
  postgres, temporal, nats, internet   whether it connects to them
*/}}
{{- define "carecover.processes" -}}
gateway:
  service: gateway
  roles: []
  calls: [care, benefits, claims, payments, webhooks]
  postgres: true
care-server:
  service: care
  roles: [server]
  calls: [benefits]
  postgres: true
care-worker:
  service: care
  roles: [worker]
  calls: [benefits]
  postgres: true
benefits-server:
  service: benefits
  roles: [server]
  calls: [care]
  postgres: true
benefits-worker:
  service: benefits
  roles: [worker]
  calls: [care]
  postgres: true
  temporal: true
  nats: true
claims-server:
  service: claims
  roles: [server]
  calls: [care, benefits, payments]
  postgres: true
  temporal: true
claims-worker:
  service: claims
  roles: [worker]
  calls: [care, benefits, payments]
  postgres: true
  temporal: true
  nats: true
payments-server:
  service: payments
  roles: [server]
  calls: [claims]
  postgres: true
payments-worker:
  service: payments
  roles: [worker]
  calls: [claims]
  postgres: true
  temporal: true
  nats: true
webhooks-server:
  service: webhooks
  roles: [server]
  calls: []
  postgres: true
webhooks-worker:
  service: webhooks
  roles: [worker]
  calls: []
  postgres: true
  nats: true
  internet: true
{{- if .Values.console.enabled }}
console:
  service: console
  roles: []
  calls: [gateway, care, benefits, claims, payments, webhooks]
  identityProvider: true
{{- end }}
{{- end -}}

{{/*
The settings of each service: the services whose addresses it reads, its secrets, and whether it signs contexts. A server and a worker read the
same settings.
*/}}
{{- define "carecover.services" -}}
gateway: { addresses: [care, benefits, claims, payments, webhooks], secrets: [], issuer: true }
care: { addresses: [benefits], secrets: [hash_secret], issuer: true }
benefits: { addresses: [care], secrets: [hash_secret], issuer: true, temporal: true, nats: true }
claims: { addresses: [care, benefits, payments], secrets: [hash_secret], issuer: true, temporal: true, nats: true }
payments: { addresses: [claims], secrets: [hash_secret], issuer: true, temporal: true, nats: true }
webhooks: { addresses: [], secrets: [hash_secret, webhook_encryption_keys], nats: true }
console: { addresses: [care, benefits, claims, payments, webhooks], secrets: [oidc_client_secret], issuer: true }
{{- end -}}

{{/* What runs once or on request, and what it connects to. Temporal Cloud's namespace is set up in its own tools. */}}
{{- define "carecover.jobs" -}}
migrate: { postgres: true }
stream: { nats: true }
{{- if eq .Values.temporal.authentication "certificate" }}
namespace: { temporal: true }
{{- end }}
operator: { postgres: true, temporal: true, nats: true }
{{- end -}}
