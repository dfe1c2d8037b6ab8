{{- /* The name of the policy. Takes { root, component, mode }. */ -}}
{{- define "ar.policyMetadata" -}}
name: {{ include "ar.fullname" .root }}-{{ .component }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "ar.componentLabels" . | nindent 2 }}
{{- end -}}

{{- /* A rule of egress to a dependency. Takes { root, name, required }. */ -}}
{{- define "ar.egressTo" -}}
{{- $target := index .root.Values.networkPolicy .name -}}
{{- if and .required (not $target.to) -}}
{{- fail (printf "networkPolicy.%s.to is required: an empty list would allow every destination" .name) -}}
{{- end -}}
{{- if $target.to -}}
- to:
    {{- toYaml $target.to | nindent 4 }}
  ports:
    {{- range $target.ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}
{{- end -}}

{{- define "ar.egressToDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end -}}

{{- /* The allowed flows of a component. Takes { root, component }. */ -}}
{{- define "ar.networkPolicy" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- if $root.Values.networkPolicy.enabled -}}
{{- $all := include "ar.components" $root | fromYaml -}}
{{- $facts := index $all $component -}}
{{- $callers := list -}}
{{- range $name, $other := $all }}{{ if has $component $other.calls }}{{ $callers = append $callers $name }}{{ end }}{{ end -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "ar.policyMetadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "ar.componentSelector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if eq $component "gateway" }}
    {{- if not $root.Values.networkPolicy.ingress.from }}
    {{- fail "networkPolicy.ingress.from is required: an empty list would allow every caller" }}
    {{- end }}
    - from:
        {{- toYaml $root.Values.networkPolicy.ingress.from | nindent 8 }}
        {{- if $root.Values.smokeTest.secret }}
        - podSelector:
            matchLabels:
              {{- include "ar.smokeTestSelector" $root | nindent 14 }}
        {{- end }}
      ports: [{ protocol: TCP, port: http }]
    {{- else if $callers }}
    - from:
        - podSelector:
            matchLabels:
              {{- include "ar.selector" $root | nindent 14 }}
            matchExpressions:
              - { key: app.kubernetes.io/component, operator: In, values: {{ toJson $callers }} }
      ports: [{ protocol: TCP, port: grpc }]
    {{- end }}
    {{- with $root.Values.networkPolicy.metrics.from }}
    - from:
        {{- toYaml . | nindent 8 }}
      ports: [{ protocol: TCP, port: metrics }]
    {{- end }}
  egress:
    {{- include "ar.egressToDns" $root | nindent 4 }}
    {{- with $facts.calls }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "ar.selector" $root | nindent 14 }}
            matchExpressions:
              - { key: app.kubernetes.io/component, operator: In, values: {{ toJson . }} }
      ports: [{ protocol: TCP, port: 50051 }]
    {{- end }}
    {{- range append (without $facts.uses "providers" "public-url") "tracing" }}
    {{- include "ar.egressTo" (dict "root" $root "name" . "required" (has . (list "kafka" "mongo" "redis"))) | nindent 4 }}
    {{- end }}
{{- if has "providers" ($facts.uses) }}
---
# Identity providers of companies are asked for sign-ins and at refreshes, and the worker asks the name servers only.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "ar.policyMetadata" (dict "root" $root "component" (printf "%s-providers" $component)) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "ar.componentSelector" . | nindent 6 }}
    matchExpressions:
      - { key: asset-register/unit, operator: In, values: [all, api, worker] }
  policyTypes: [Egress]
  egress:
    - to:
        - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson $root.Values.networkPolicy.internet.except }} }
        - ipBlock: { cidr: "::/0", except: {{ toJson $root.Values.networkPolicy.internet.except6 }} }
      ports: [{ protocol: TCP, port: 443 }, { protocol: TCP, port: 8443 }]
    {{- include "ar.egressTo" (dict "root" $root "name" "providers" "required" false) | nindent 4 }}
{{- end }}
{{- if has "sender" ($facts.roles) }}
---
# The sender may reach the internet, and nothing else: webhooks are on these two ports.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "ar.policyMetadata" (dict "root" $root "component" (printf "%s-sender" $component)) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "ar.componentSelector" . | nindent 6 }}
      asset-register/unit: sender
  policyTypes: [Egress]
  egress:
    - to:
        - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson $root.Values.networkPolicy.internet.except }} }
        - ipBlock: { cidr: "::/0", except: {{ toJson $root.Values.networkPolicy.internet.except6 }} }
      ports: [{ protocol: TCP, port: 443 }, { protocol: TCP, port: 8443 }]
{{- end }}
{{- end -}}
{{- end -}}

{{- /* The flows of a Job before the release exists. Takes { root, component, purpose, mode, name }; name is its dependency. */ -}}
{{- define "ar.jobNetworkPolicy" -}}
{{- if and .root.Values.networkPolicy.enabled (has .mode (list "hook" "job")) -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "ar.fullname" .root }}-{{ .purpose }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "ar.labels" .root | nindent 4 }}
  {{- include "ar.hook" (dict "mode" .mode "weight" -10) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "ar.selector" .root | nindent 6 }}
      asset-register/unit: {{ .purpose }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "ar.egressToDns" .root | nindent 4 }}
    {{- include "ar.egressTo" (dict "root" .root "name" .name "required" true) | nindent 4 }}
{{- end -}}
{{- end -}}
