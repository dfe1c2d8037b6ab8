{{- /* The addresses of Kafka. */ -}}
{{- define "ar.brokers" -}}
{{- if .Values.kafka.brokers -}}
{{- .Values.kafka.brokers -}}
{{- else if .Values.kafka.strimzi.enabled -}}
{{- printf "%s-kafka-bootstrap.%s.svc:9093" .Values.kafka.strimzi.name .Release.Namespace -}}
{{- else -}}
{{- fail "kafka.brokers is required" -}}
{{- end -}}
{{- end -}}

{{- /* The user of the platform at the Kafka of the chart. Strimzi makes a Secret of this name with its certificate. */ -}}
{{- define "ar.kafkaUser" -}}
{{- printf "%s-kafka-user" (include "ar.fullname" .) -}}
{{- end -}}

{{- /* Secrets that Strimzi makes, whose keys are files of the pods with Kafka. Takes { root, component }. */ -}}
{{- define "ar.kafkaFolders" -}}
{{- $facts := index (include "ar.components" .root | fromYaml) .component | default dict -}}
{{- if and .root.Values.kafka.strimzi.enabled (has "kafka" ($facts.uses | default list)) -}}
- { name: kafka-ca, secret: {{ .root.Values.kafka.strimzi.name }}-cluster-ca-cert, folder: kafka-ca }
- { name: kafka-user, secret: {{ include "ar.kafkaUser" .root }}, folder: kafka-user }
{{- end -}}
{{- end -}}

{{- define "ar.kafkaSettings" -}}
{{- $own := dict -}}
{{- if .Values.kafka.strimzi.enabled -}}
{{- $own = dict
  "KAFKA_TLS_CA" "/etc/asset-register/kafka-ca/ca.crt"
  "KAFKA_TLS_CERT" "/etc/asset-register/kafka-user/user.crt"
  "KAFKA_TLS_KEY" "/etc/asset-register/kafka-user/user.key" -}}
{{- end -}}
{{- mergeOverwrite $own (deepCopy .Values.kafka.settings) | toYaml -}}
{{- end -}}
