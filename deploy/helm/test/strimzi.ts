/** The fields of Strimzi's resources that the chart uses; no package has their types. */

type Head<Kind extends string> = {
  apiVersion: "kafka.strimzi.io/v1" | "kafka.strimzi.io/v1beta2";
  kind: Kind;
  metadata: {
    name: string;
    namespace: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
  };
};

export type IKafkaTopic = Head<"KafkaTopic"> & {
  spec: { topicName: string; partitions: number; replicas: number; config: Record<string, string | number> };
};

export type IKafka = Head<"Kafka"> & {
  spec: {
    kafka: {
      rack: { topologyKey: string };
      listeners: {
        name: string;
        port: number;
        type: "internal";
        tls: boolean;
        authentication: { type: "tls" | "scram-sha-512" };
      }[];
      config: Record<string, string | number | boolean>;
    };
    entityOperator: { topicOperator: object; userOperator: object };
  };
};

type Volume = {
  id: number;
  type: "persistent-claim";
  size: string;
  class?: string;
  kraftMetadata: "shared";
  deleteClaim: boolean;
};

type AntiAffinityTerm = { topologyKey: string; labelSelector: { matchLabels: Record<string, string> } };

export type IKafkaNodePool = Head<"KafkaNodePool"> & {
  spec: {
    replicas: number;
    roles: ("controller" | "broker")[];
    storage: { type: "jbod"; volumes: Volume[] };
    resources: Record<"requests" | "limits", Record<string, string>>;
    template: {
      pod: {
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: AntiAffinityTerm[] };
        };
      };
    };
  };
};

export type IKafkaUser = Head<"KafkaUser"> & { spec: { authentication: { type: "tls" | "scram-sha-512" } } };
