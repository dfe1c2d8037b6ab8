{{- /* The Deployments of a component, one for each unit. Takes { root, component }. */ -}}
{{- define "ar.deployments" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $isGateway := eq $component "gateway" -}}
{{- $migrate := ternary "start" "never" (eq $root.Values.migrations.mode "none") -}}
{{- range include "ar.units" . | fromYamlArray }}
{{- $at := dict "root" $root "component" $component "unit" .unit "roles" .roles "migrate" $migrate }}
{{- $unit := include "ar.unitValues" $at | fromYaml }}
{{- $scaled := dig "autoscaling" "enabled" false $unit }}
{{- $selector := printf "%s\nasset-register/unit: %s" (include "ar.componentSelector" $at) .unit }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "ar.unitName" $at }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "ar.componentLabels" $at | nindent 4 }}
    asset-register/unit: {{ .unit }}
spec:
  {{- if not $scaled }}
  replicas: {{ $unit.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # A worker is ready when its projections have caught up for the first time, which can take long.
  progressDeadlineSeconds: {{ ternary 3600 600 (has "worker" .roles) }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 25% }
  selector:
    matchLabels:
      {{- $selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "ar.componentLabels" $at | nindent 8 }}
        asset-register/unit: {{ .unit }}
        {{- if has "api" .roles }}
        asset-register/serves: "true"
        {{- end }}
        {{- with $root.Values.pod.labels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.pod.annotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "ar.fullname" $root }}-{{ $component }}
      {{- include "ar.podCommon" $at | nindent 6 }}
      # preStop, twice the time to stop, and some seconds to flush.
      terminationGracePeriodSeconds: {{ add 15 (mul 2 (int $root.Values.pod.shutdownTimeoutSeconds)) }}
      topologySpreadConstraints:
        {{- include "ar.spread" (dict "root" $root "selector" $selector) | nindent 8 }}
      containers:
        - name: {{ $component }}
          image: {{ include "ar.image" $at }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            {{- include "ar.settings" $at | nindent 12 }}
          envFrom:
            {{- include "ar.secrets" $at | nindent 12 }}
          ports:
            - { name: metrics, containerPort: 9090 }
            {{- if $isGateway }}
            - { name: http, containerPort: 8080 }
            {{- else if has "api" .roles }}
            - { name: grpc, containerPort: 50051 }
            {{- end }}
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          lifecycle:
            # New connections still arrive until all nodes have removed the pod from the service.
            preStop: { sleep: { seconds: 5 } }
          resources:
            {{- toYaml $unit.resources | nindent 12 }}
          securityContext:
            {{- include "ar.containerSecurity" $at | nindent 12 }}
          volumeMounts:
            {{- include "ar.volumeMounts" $at | nindent 12 }}
{{- end }}
{{- end -}}

{{- /* Takes { root, component }. */ -}}
{{- define "ar.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "ar.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "ar.componentLabels" . | nindent 4 }}
  {{- with dig "serviceAccount" "annotations" dict (index .root.Values.components .component | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{- /* Headless for gRPC: each client balances its calls over all pods. Takes { root, component }. */ -}}
{{- define "ar.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "ar.fullname" .root }}-{{ .component }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "ar.componentLabels" . | nindent 4 }}
spec:
  selector:
    {{- include "ar.componentSelector" . | nindent 4 }}
    asset-register/serves: "true"
  {{- if eq .component "gateway" }}
  ports:
    - { name: http, port: 80, targetPort: http, appProtocol: http }
  {{- else }}
  clusterIP: None
  ports:
    - { name: grpc, port: 50051, targetPort: grpc, appProtocol: grpc }
  {{- end }}
{{- end -}}
