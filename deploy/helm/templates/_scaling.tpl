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
{{- if eq .unit "worker" }}
{{- include "ar.scaledObject" (merge (dict "scaling" $scaling) $head) }}
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
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end -}}

{{- define "ar.scaledObject" }}
{{- if gt (int .scaling.maxReplicas) (int .root.Values.topics.partitions) }}
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
        # Each change stops the group for a moment, so it shrinks slowly.
        scaleDown:
          stabilizationWindowSeconds: 600
          policies: [{ type: Pods, value: 1, periodSeconds: 120 }]
  triggers:
    - type: prometheus
      # The lag is compared as it is: divided by the replicas, it would seem to fall with each new one.
      metricType: Value
      metadata:
        serverAddress: {{ required "keda.prometheusUrl is required for autoscaling of workers" .root.Values.keda.prometheusUrl }}
        query: max(consumer_lag_seconds{namespace={{ .root.Release.Namespace | quote }},service={{ .component | quote }}})
        threshold: {{ .scaling.lagSeconds | quote }}
      {{- with .root.Values.keda.authentication }}
      authenticationRef: { name: {{ . }} }
      {{- end }}
{{- end -}}
