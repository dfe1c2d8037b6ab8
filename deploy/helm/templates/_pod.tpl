{{- /* A container without any privilege, and with a read-only file system. */ -}}
{{- define "ar.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
readOnlyRootFilesystem: true
runAsNonRoot: true
{{- end -}}

{{- define "ar.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- /* The parts of every pod, of a Deployment or a Job. Takes { root, component }. */ -}}
{{- define "ar.podCommon" -}}
{{- with .root.Values.pod -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- include "ar.podSecurity" $ | nindent 2 }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
  {{- range include "ar.secretFolders" . | fromYamlArray }}
  - { name: {{ .name }}, secret: { secretName: {{ .secret }}, defaultMode: 288 } } # 0440
  {{- end }}
{{- end -}}

{{- /* Secrets that are files, since processes read files again when they change. Takes { root, component }. */ -}}
{{- define "ar.secretFolders" -}}
{{- $tls := .root.Values.secrets.grpcTls -}}
{{- if and $tls (ne .component "cli") }}
- { name: grpc-tls, secret: {{ printf "%s-%s" $tls .component }}, folder: grpc-tls }
{{- end }}
{{- with include "ar.kafkaFolders" . }}
{{ . }}
{{- end }}
{{- range $index, $secret := .root.Values.secrets.files }}
- { name: files-{{ $index }}, secret: {{ $secret }}, folder: {{ $secret }} }
{{- end }}
{{- end -}}

{{- define "ar.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range include "ar.secretFolders" . | fromYamlArray }}
- { name: {{ .name }}, mountPath: /etc/asset-register/{{ .folder }}, readOnly: true }
{{- end }}
{{- end -}}

{{- /* Spreads the pods of a unit over zones and nodes. Takes { root, selector }. */ -}}
{{- define "ar.spread" -}}
{{- $spread := .root.Values.pod.spread -}}
{{- range $key, $mode := dict "topology.kubernetes.io/zone" $spread.zone "kubernetes.io/hostname" $spread.node }}
{{- if ne $mode "none" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $mode }}
  labelSelector:
    matchLabels:
      {{- $.selector | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end -}}
