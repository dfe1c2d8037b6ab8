{{- /* TAGGING_INGEST for tagging-ingest. */ -}}
{{- define "ar.settingName" -}}
{{- . | upper | replace "-" "_" -}}
{{- end -}}

{{- /* The plain settings of a process. Takes { root, component, roles, migrate }. */ -}}
{{- define "ar.settings" -}}
{{- $root := .root -}}
{{- $facts := index (include "ar.components" $root | fromYaml) .component -}}
{{- $values := index $root.Values.components .component | default dict -}}
{{- $env := dict
  "NODE_ENV" "production"
  "HEALTH_ADDRESS" "0.0.0.0:9090"
  "SHUTDOWN_TIMEOUT_MS" (mul 1000 (int $root.Values.pod.shutdownTimeoutSeconds) | toString) -}}
{{- range $facts.calls -}}
{{- $address := printf "%s-%s.%s.svc:50051" (include "ar.fullname" $root) . $root.Release.Namespace -}}
{{- $_ := set $env (printf "%s_ADDRESS" (include "ar.settingName" .)) $address -}}
{{- end -}}
{{- if eq .component "gateway" -}}
{{- $_ := set $env "HTTP_ADDRESS" "0.0.0.0:8080" -}}
{{- else -}}
{{- $_ := set $env "GRPC_ADDRESS" "0.0.0.0:50051" -}}
{{- $_ := set $env "ROLES" (join "," .roles) -}}
{{- $_ := set $env "MIGRATE" .migrate -}}
{{- end -}}
{{- if has "public-url" $facts.uses -}}
{{- $_ := set $env "PUBLIC_URL" (required "publicUrl is required: the address of the platform for people" $root.Values.publicUrl) -}}
{{- end -}}
{{- if has "mongo" $facts.uses -}}
{{- $_ := set $env "MONGO_DATABASE" (printf "%s%s" $root.Values.mongo.databasePrefix (replace "-" "_" .component)) -}}
{{- end -}}
{{- if has "kafka" $facts.uses -}}
{{- $_ := set $env "KAFKA_BROKERS" (include "ar.brokers" $root) -}}
{{- $_ := set $env "TOPIC_PREFIX" $root.Values.kafka.topicPrefix -}}
{{- if $root.Values.kafka.singleBroker -}}
{{- $_ := set $env "KAFKA_SINGLE_BROKER" "true" -}}
{{- end -}}
{{- $env = mergeOverwrite $env (include "ar.kafkaSettings" $root | fromYaml) -}}
{{- end -}}
{{- if has "redis" $facts.uses -}}
{{- $env = mergeOverwrite $env (deepCopy $root.Values.redis.settings) -}}
{{- end -}}
{{- if $root.Values.grpc.networkEncrypted -}}
{{- $_ := set $env "GRPC_NETWORK_ENCRYPTED" "true" -}}
{{- end -}}
{{- with $root.Values.tracing.endpoint -}}
{{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}
{{- end -}}
{{- $env = mergeOverwrite $env (deepCopy $root.Values.settings) (deepCopy ($values.settings | default dict)) -}}
{{- if and (eq .component "gateway") (or $root.Values.ingress.enabled $root.Values.gatewayApi.enabled) (not $env.TRUSTED_PROXIES) -}}
{{- fail "components.gateway.settings.TRUSTED_PROXIES is required with an Ingress or a Gateway: without it all clients count as one" -}}
{{- end -}}
{{- $smtp := dig "secrets" "smtp" $root.Values.secrets.smtp $values -}}
{{- if and (eq .component "identity") (not $smtp) (not $env.INVITATION_TOKENS) -}}
{{- fail "secrets.smtp is required, or components.identity.settings.INVITATION_TOKENS=answer: then whoever invites gets the token" -}}
{{- end -}}
{{- range $name := keys $env | sortAlpha }}
- { name: {{ $name }}, value: {{ get $env $name | toString | quote }} }
{{- end }}
{{- include "ar.variables" (dict "root" $root "uses" $facts.uses) }}
{{- if and (not $root.Values.secrets.grpcTls) (not $root.Values.grpc.networkEncrypted) }}
{{- fail "secrets.grpcTls is required, or grpc.networkEncrypted: calls between services must be encrypted" }}
{{- end }}
{{- if $root.Values.secrets.grpcTls }}
{{- range $name, $key := dict "GRPC_TLS_CA" "ca.crt" "GRPC_TLS_CERT" "tls.crt" "GRPC_TLS_KEY" "tls.key" }}
- { name: {{ $name }}, value: /etc/asset-register/grpc-tls/{{ $key }} }
{{- end }}
{{- end }}
{{- end -}}

{{- /* Settings from keys with other names, for processes with their dependency. Takes { root, uses }. */ -}}
{{- define "ar.variables" -}}
{{- range $name, $from := .root.Values.secrets.variables }}
{{- if has (splitList "_" $name | first | lower) $.uses }}
- { name: {{ $name }}, valueFrom: { secretKeyRef: { name: {{ $from.name }}, key: {{ $from.key | quote }} } } }
{{- end }}
{{- end }}
{{- end -}}

{{- /* Whether the settings name a dependency without a Secret for it. Takes { root, name }. */ -}}
{{- define "ar.isNamed" -}}
{{- if hasKey .root.Values.secrets.variables (printf "%s_URL" (upper .name)) -}}true{{- end -}}
{{- if eq .name "redis" -}}
{{- range list "REDIS_SENTINELS" "REDIS_CLUSTER" }}{{ if get $.root.Values.redis.settings . }}true{{ end }}{{ end -}}
{{- end -}}
{{- end -}}

{{- /* The Secrets of a process: its keys, and one for each dependency that it uses. Takes { root, component }. */ -}}
{{- define "ar.secrets" -}}
{{- $facts := index (include "ar.components" .root | fromYaml) .component -}}
{{- $own := dig "secrets" dict (index .root.Values.components .component | default dict) -}}
{{- $secrets := mergeOverwrite (deepCopy .root.Values.secrets) (deepCopy $own) -}}
- secretRef: { name: {{ printf "%s-%s" $secrets.keys .component }} }
{{- range $facts.uses }}
{{- $name := get $secrets . }}
{{- if and (has . (list "mongo" "redis")) (not (include "ar.isNamed" (dict "root" $.root "name" .))) }}
{{- $name = required (printf "secrets.%s is required: the name of an existing Secret with %s_URL" . (upper .)) $name }}
{{- end }}
{{- if $name }}
- secretRef: { name: {{ $name }} }
{{- end }}
{{- end }}
{{- end -}}
