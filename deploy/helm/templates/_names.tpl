{{- /* First part of all names. 40 characters leave room for the longest suffix of a name. */ -}}
{{- define "ar.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "ar.components" -}}
{{- .Files.Get "files/components.yaml" -}}
{{- end -}}

{{- /* Replicas of the topics. */ -}}
{{- define "ar.replication" -}}
{{- ternary 1 (int .Values.topics.replication) .Values.kafka.singleBroker -}}
{{- end -}}

{{- define "ar.version" -}}
{{- default .Chart.AppVersion .Values.image.tag -}}
{{- end -}}

{{- /* Labels of the release, which the whole platform shares. */ -}}
{{- define "ar.selector" -}}
app.kubernetes.io/name: asset-register
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ar.labels" -}}
{{ include "ar.selector" . }}
app.kubernetes.io/version: {{ include "ar.version" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Takes { root, component }. */ -}}
{{- define "ar.componentLabels" -}}
{{ include "ar.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "ar.componentSelector" -}}
{{ include "ar.selector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- /* Takes { root, component }. */ -}}
{{- define "ar.image" -}}
{{- $image := .root.Values.image -}}
{{- $registry := required "image.registry is required, for example registry.example.com/asset-register" $image.registry -}}
{{- $digest := dig "image" "digest" "" (index .root.Values.components .component | default dict) -}}
{{- if $digest -}}
{{- printf "%s/%s@%s" $registry .component $digest -}}
{{- else -}}
{{- printf "%s/%s:%s" $registry .component (include "ar.version" .root) -}}
{{- end -}}
{{- end -}}

{{- /* The Deployments of a component. `unit` names a Deployment, `roles` are those of its processes. */ -}}
{{- define "ar.units" -}}
{{- $roles := (index (include "ar.components" .root | fromYaml) .component).roles -}}
{{- if or (eq .root.Values.layout "roles") (eq .component "gateway") -}}
{{- range $roles }}
- { unit: {{ . }}, roles: [{{ . }}] }
{{- end }}
{{- else }}
- { unit: all, roles: {{ without $roles "sender" | toJson }} }
{{- if has "sender" $roles }}
- { unit: sender, roles: [sender] }
{{- end }}
{{- end }}
{{- end -}}

{{- /* The values of a unit: those of its role, overridden by those of the component. Takes { root, component, unit }. */ -}}
{{- define "ar.unitValues" -}}
{{- $own := dig "roles" .unit dict (index .root.Values.components .component | default dict) -}}
{{- mergeOverwrite (deepCopy (index .root.Values.roles .unit)) (deepCopy $own) | toYaml -}}
{{- end -}}

{{- /* Takes { root, component, unit }. */ -}}
{{- define "ar.unitName" -}}
{{- $name := printf "%s-%s" (include "ar.fullname" .root) .component -}}
{{- if or (eq .unit "all") (eq .component "gateway") -}}{{ $name }}{{- else -}}{{ printf "%s-%s" $name .unit }}{{- end -}}
{{- end -}}
