{{- /* Annotations that run an object before the Deployments of an install or upgrade. Takes { mode, weight }. */ -}}
{{- define "ar.hook" -}}
{{- if eq .mode "hook" }}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
{{- end -}}

{{- /*
A Job that prepares a release. In the mode `job` its name has a hash of its content, because a Job cannot change.
Takes { root, component, purpose, mode, args, settings }.
*/ -}}
{{- define "ar.job" -}}
{{- $name := printf "%s-%s-%s" (include "ar.fullname" .root) .component .purpose -}}
{{- $template := include "ar.jobTemplate" . -}}
{{- if eq .mode "job" -}}
{{- $name = printf "%s-%s" $name (sha256sum $template | trunc 8) -}}
{{- end -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "ar.componentLabels" . | nindent 4 }}
  {{- include "ar.hook" (dict "mode" .mode "weight" 0) | nindent 2 }}
spec:
  backoffLimit: 6
  activeDeadlineSeconds: 3600
  template:
    {{- $template | nindent 4 }}
{{- end -}}

{{- define "ar.jobTemplate" -}}
metadata:
  labels:
    {{- include "ar.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    asset-register/unit: {{ .purpose }}
    {{- with .root.Values.pod.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  restartPolicy: OnFailure
  {{- if and (eq .mode "job") (ne .component "cli") }}
  serviceAccountName: {{ include "ar.fullname" .root }}-{{ .component }}
  {{- end }}
  {{- include "ar.podCommon" . | nindent 2 }}
  containers:
    - name: {{ .purpose }}
      image: {{ include "ar.image" . }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      {{- with .args }}
      args: {{ toJson . }}
      {{- end }}
      env:
        {{- .env | nindent 8 }}
      envFrom:
        {{- .secrets | nindent 8 }}
      resources:
        requests: { cpu: 100m, memory: 256Mi }
        limits: { memory: 512Mi }
      securityContext:
        {{- include "ar.containerSecurity" . | nindent 8 }}
      volumeMounts:
        {{- include "ar.volumeMounts" . | nindent 8 }}
{{- end -}}

{{- /* The migration of a service's database. Takes { root, component }. */ -}}
{{- define "ar.migration" -}}
{{- $mode := .root.Values.migrations.mode -}}
{{- if ne $mode "none" -}}
{{- $roles := list "api" -}}
{{- $env := include "ar.settings" (dict "root" .root "component" .component "roles" $roles "migrate" "only") -}}
{{- include "ar.job" (merge (dict "purpose" "migrate" "mode" $mode "env" $env "secrets" (include "ar.secrets" .)) .) }}
{{- end -}}
{{- end -}}
