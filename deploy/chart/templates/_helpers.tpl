{{- define "carecover.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* Labels by which an object is found. Argument: (list root component). */}}
{{- define "carecover.selector" -}}
app.kubernetes.io/name: carecover
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Labels of every object. Argument: (list root component). */}}
{{- define "carecover.labels" -}}
{{ include "carecover.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end -}}

{{/* Labels of pods that connect to an engine. The policies in engines/ admit pods with these labels. Argument: the process. */}}
{{- define "carecover.engineLabels" -}}
{{- range $engine := list "postgres" "temporal" "nats" }}
{{- if get $ $engine }}
carecover/connects-to-{{ $engine }}: "true"
{{- end }}
{{- end }}
{{- end -}}

{{/*
The addresses of a service. The name of the Service stands once per replica: each of the addresses is a pool of connections of its own, so that
a request that failed on a connection is repeated on another one. Argument: (list root service).
*/}}
{{- define "carecover.urls" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
{{- $replicas := (index $root.Values.processes (printf "%s-server" $service)).replicas | int -}}
{{- $urls := list -}}
{{- range until $replicas }}{{ $urls = append $urls (printf "http://%s-%s:8080" $root.Release.Name $service) }}{{ end -}}
{{- join "," $urls -}}
{{- end -}}

{{/* Connection settings of Temporal's clients. */}}
{{- define "carecover.temporalSettings" -}}
TEMPORAL_ADDRESS: {{ .Values.temporal.address }}
TEMPORAL_NAMESPACE: {{ .Values.temporal.namespace }}
{{- if eq .Values.temporal.authentication "apiKey" }}
TEMPORAL_API_KEY_FILE: /run/secrets/temporal_api_key
{{- else }}
TEMPORAL_TLS_CLIENT_CERT_PATH: /run/secrets/temporal_client_certificate
TEMPORAL_TLS_CLIENT_KEY_PATH: /run/secrets/temporal_client_key
TEMPORAL_TLS_SERVER_CA_CERT_PATH: /run/secrets/temporal_authority
{{- with .Values.temporal.serverName }}
TEMPORAL_TLS_SERVER_NAME: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Keys of the Secret that Temporal's clients read. */}}
{{- define "carecover.temporalSecrets" -}}
{{- if eq .Values.temporal.authentication "apiKey" -}}
[temporal_api_key]
{{- else -}}
[temporal_client_certificate, temporal_client_key, temporal_authority]
{{- end -}}
{{- end -}}

{{/* Settings of a process. Argument: (list root name process). */}}
{{- define "carecover.settings" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $service := (index . 2).service -}}
{{- $reads := index (include "carecover.services" $root | fromYaml) $service -}}
CARECOVER_ENVIRONMENT: {{ $root.Values.environment }}
CARECOVER_MODE: production
LOG_LEVEL: {{ $root.Values.logLevel }}
DRAIN_MS: 5000
{{- with $root.Values.traces }}
{{- if .endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .endpoint }}
{{- with .sampler }}
OTEL_TRACES_SAMPLER: {{ . }}
{{- end }}
{{- with .samplerArgument }}
OTEL_TRACES_SAMPLER_ARG: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
HOST: 0.0.0.0
{{- if eq $service "gateway" }}
PORT: "8443"
METRICS_HOST: 0.0.0.0
METRICS_PORT: "8080"
{{- if $root.Values.console.enabled }}
OPERATOR_HOST: 0.0.0.0
OPERATOR_PORT: "8081"
CONSOLE_PUBLIC_URL: {{ $root.Values.console.url }}
{{- end }}
PUBLIC_URL: {{ $root.Values.publicUrl }}
{{- with $root.Values.gateway.trustedProxies }}
TRUSTED_PROXY: {{ join "," . | quote }}
{{- end }}
{{- if $root.Values.gateway.tlsSecret }}
TLS_CERTIFICATE: /run/certificate/tls.crt
TLS_KEY: /run/certificate/tls.key
{{- end }}
{{- else if eq $service "console" }}
{{- with $root.Values.console }}
PORT: "8443"
METRICS_HOST: 0.0.0.0
METRICS_PORT: "8080"
GATEWAY_URL: http://{{ $root.Release.Name }}-gateway-operators:8081
CONSOLE_URL: {{ .url }}
OIDC_ISSUER: {{ .issuer }}
OIDC_CLIENT_ID: {{ .clientId }}
OIDC_ROLES_CLAIM: {{ .rolesClaim }}
{{- with .trustedProxies }}
TRUSTED_PROXY: {{ join "," . | quote }}
{{- end }}
{{- with .temporalUiUrl }}
TEMPORAL_UI_URL: {{ . }}
{{- end }}
{{- if .tlsSecret }}
TLS_CERTIFICATE: /run/certificate/tls.crt
TLS_KEY: /run/certificate/tls.key
{{- end }}
{{- end }}
{{- else }}
PORT: "8080"
{{- end }}
CONTEXT_PUBLIC_KEYS_FILE: /run/secrets/context_public_keys
{{- if $reads.issuer }}
CONTEXT_PRIVATE_KEY_FILE: /run/secrets/context_{{ $service }}_key
{{- end }}
{{- range $reads.secrets }}
{{ upper . }}_FILE: /run/secrets/{{ . }}
{{- end }}
{{- if (index . 2).postgres }}
DATABASE_URL_FILE: /run/secrets/{{ $service }}_database_url
{{- end }}
{{- range $reads.addresses }}
{{ upper . }}_URL: {{ include "carecover.urls" (list $root .) }}
{{- end }}
{{- if $reads.temporal }}
{{ include "carecover.temporalSettings" $root }}
{{- end }}
{{- if $reads.nats }}
NATS_URL: {{ join "," $root.Values.nats.urls }}
NATS_PASSWORD_FILE: /run/secrets/nats_{{ $service }}_password
{{- end }}
{{- range $key, $value := (index $root.Values.processes $name).settings }}
{{ $key }}: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* Keys of the Secret that a process reads. Argument: (list root name process). */}}
{{- define "carecover.secretKeys" -}}
{{- $root := index . 0 -}}
{{- $service := (index . 2).service -}}
{{- $reads := index (include "carecover.services" $root | fromYaml) $service -}}
{{- $keys := prepend $reads.secrets "context_public_keys" -}}
{{- if $reads.issuer }}{{ $keys = append $keys (printf "context_%s_key" $service) }}{{ end -}}
{{- if (index . 2).postgres }}{{ $keys = append $keys (printf "%s_database_url" $service) }}{{ end -}}
{{- if $reads.nats }}{{ $keys = append $keys (printf "nats_%s_password" $service) }}{{ end -}}
{{- if $reads.temporal }}{{ $keys = concat $keys (include "carecover.temporalSecrets" $root | fromYamlArray) }}{{ end -}}
{{- toJson $keys -}}
{{- end -}}

{{/* Writes settings as a container's variables. Argument: the settings as YAML. */}}
{{- define "carecover.env" -}}
{{- range $key, $value := . | fromYaml }}
- name: {{ $key }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* The part of a pod that is the same for all: it has no access to the cluster's API and none to the node. Argument: root. */}}
{{- define "carecover.restrictedPod" -}}
automountServiceAccountToken: false
# Variables for the namespace's Services could have the name of a setting.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  # The group that can read the mounted secrets.
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "carecover.restrictedContainer" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* The volume with keys of the Secret, and a writable folder. Argument: (list root keys). */}}
{{- define "carecover.volumes" -}}
- name: secrets
  secret:
    secretName: {{ (index . 0).Values.secret }}
    defaultMode: 0440
    items:
      {{- range index . 1 }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end -}}

{{- define "carecover.mounts" -}}
- { name: secrets, mountPath: /run/secrets, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end -}}

{{/* Egress rules to the engines that a process connects to. Argument: (list root process). */}}
{{- define "carecover.engineEgress" -}}
{{- $root := index . 0 -}}
{{- with index . 1 }}
{{- if .postgres }}
- to: {{- toYaml $root.Values.postgres.peers | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ $root.Values.postgres.port }} }]
{{- end }}
{{- if .temporal }}
- to: {{- toYaml $root.Values.temporal.peers | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ regexFind "[0-9]+$" $root.Values.temporal.address }} }]
{{- end }}
{{- if .nats }}
- to: {{- toYaml $root.Values.nats.peers | nindent 4 }}
  ports:
    {{- range regexFindAll ":[0-9]+" (join "," $root.Values.nats.urls) -1 | uniq }}
    - { protocol: TCP, port: {{ trimPrefix ":" . }} }
    {{- end }}
{{- end }}
{{- end }}
{{- end -}}
