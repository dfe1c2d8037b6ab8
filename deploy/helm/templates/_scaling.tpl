{{- /* Autoscalers and disruption budgets of a component. Takes { root, component }. */ -}}
{{- define "ar.scaling" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- range include "ar.units" . | fromYamlArray }}
{{- $at := dict "root" $root "component" $component "unit" .unit }}
{{- $unit := include "ar.unitValues" $at | fromYaml }}
{{- $scaling := $unit.autoscaling | default dict }}
{{- $head := dict "root" $root "component" $component "name" (include "ar.unitName" $at) }}
{{- if $scaling.enabled }}
{{- if lt (int $scaling.maxReplicas) (int $scaling.minReplicas) }}
{{- fail (printf "%s: autoscaling.maxReplicas is less than minReplicas" $head.name) }}
{{- end }}
{{- if has .unit (list "worker" "sender") }}
{{- include "ar.scaledObject" (merge (dict "scaling" $scaling "unit" .unit) $head) }}
{{- else }}
{{- include "ar.autoscaler" (merge (dict "scaling" $scaling) $head) }}
{{- end }}
{{- end }}
{{- if gt (int (ternary $scaling.minReplicas $unit.replicas ($scaling.enabled | default false))) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "ar.scalingMetadata" $head | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "ar.componentSelector" $at | nindent 6 }}
      asset-register/unit: {{ .unit }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "ar.scalingMetadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "ar.componentLabels" . | nindent 2 }}
{{- end -}}

{{- define "ar.autoscaler" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "ar.scalingMetadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ .scaling.minReplicas }}
  maxReplicas: {{ .scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .scaling.cpuUtilization }} }
  behavior:
    # Retries after a failover double the load for less than a minute, which adds no pod.
    scaleUp:
      stabilizationWindowSeconds: 60
      policies: [{ type: Percent, value: 50, periodSeconds: 60 }, { type: Pods, value: 2, periodSeconds: 60 }]
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end -}}

{{- define "ar.scaledObject" }}
{{- if and (eq .unit "worker") (gt (int .scaling.maxReplicas) (int .root.Values.topics.partitions)) }}
{{- fail (printf "%s: autoscaling.maxReplicas is more than topics.partitions, so some consumers would be idle" .name) }}
{{- end }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "ar.scalingMetadata" . | nindent 2 }}
spec:
  scaleTargetRef: { name: {{ .name }} }
  minReplicaCount: {{ .scaling.minReplicas }}
  maxReplicaCount: {{ .scaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        # Each change stops a consumer group for a moment, so it grows in small steps, and shrinks slowly.
        scaleUp:
          stabilizationWindowSeconds: 60
          policies: [{ type: Pods, value: 2, periodSeconds: 120 }]
        scaleDown:
          stabilizationWindowSeconds: 600
          policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
  triggers:
    {{- $of := printf "{%s,service=%q}" (include "ar.releaseSelector" .root) .component }}
    {{- if eq .unit "worker" }}
    # The mean of all partitions, since one sick partition needs no further workers; the least of 2 minutes, since a
    # failover ends without help. Value: divided by the replicas, the lag would seem to fall with each new one.
    {{- include "ar.trigger" (dict "at" . "type" "Value" "threshold" .scaling.lagSeconds "query" (printf "max(min_over_time(consumer_group_lag_mean_seconds%s[2m]))" $of)) | nindent 4 }}
    {{- else }}
    {{- include "ar.trigger" (dict "at" . "type" "AverageValue" "threshold" .scaling.waiting "query" (printf "max(webhook_deliveries_waiting%s)" $of)) | nindent 4 }}
    {{- include "ar.trigger" (dict "at" . "type" "Value" "threshold" .scaling.ageSeconds "query" (printf "max(webhook_deliveries_oldest_seconds%s)" $of)) | nindent 4 }}
    {{- end }}
{{- end -}}

{{- /* A missing metric is an error, not 0: the number of replicas then stays as it is. Takes { at, type, threshold, query }. */ -}}
{{- define "ar.trigger" -}}
- type: prometheus
  metricType: {{ .type }}
  metadata:
    serverAddress: {{ required "keda.prometheusUrl is required for autoscaling of workers and senders" .at.root.Values.keda.prometheusUrl }}
    query: {{ .query }}
    threshold: {{ .threshold | quote }}
    ignoreNullValues: "false"
  {{- with .at.root.Values.keda.authentication }}
  authenticationRef: { name: {{ . }} }
  {{- end }}
{{- end -}}
