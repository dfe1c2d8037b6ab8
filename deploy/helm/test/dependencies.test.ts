import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CHART, type Manifest, type Rendered, readComponents, render } from "./chart.ts";
import { typeProblems } from "./object-types.ts";
import { networkProblems, podProblems, referenceProblems, workloadsOf } from "./policies.ts";
import { settingsProblems } from "./settings.ts";
import { findHelm } from "./tools.ts";

const BUILD_MS = 1_200_000;
const helm = await findHelm();

/** What a way to have a dependency gives to the processes with it: plain settings, and where the others come from. */
type Expected = {
  of: "kafka" | "mongo" | "redis" | "s3";
  env?: Record<string, unknown>;
  secrets?: string[];
  port: number;
};

const from = (name: string, key: string) => ({ secretKeyRef: { name, key } });
const ways: Record<string, Expected> = {
  "blobs-s3": {
    ...{ of: "s3", secrets: ["asset-register-s3"], port: 443 },
    env: { S3_BUCKET: "asset-register-files", S3_REGION: "eu-central-1" },
  },
  "kafka-managed": {
    ...{ of: "kafka", secrets: ["asset-register-kafka"], port: 9096 },
    env: {
      KAFKA_BROKERS: "b-1.events.example.com:9096,b-2.events.example.com:9096,b-3.events.example.com:9096",
      KAFKA_TLS: "true",
      KAFKA_SASL_MECHANISM: "scram-sha-512",
      KAFKA_SINGLE_BROKER: undefined,
    },
  },
  "kafka-strimzi": {
    ...{ of: "kafka", port: 9093 },
    env: {
      KAFKA_BROKERS: "events-kafka-bootstrap.assets.svc:9093",
      KAFKA_TLS_CA: "/etc/asset-register/kafka-ca/ca.crt",
      KAFKA_TLS_CERT: "/etc/asset-register/kafka-user/user.crt",
      KAFKA_TLS_KEY: "/etc/asset-register/kafka-user/user.key",
      KAFKA_SINGLE_BROKER: undefined,
    },
  },
  "mongo-managed": { of: "mongo", secrets: ["asset-register-mongo"], port: 27017 },
  "mongo-operator": {
    ...{ of: "mongo", port: 27017 },
    env: { MONGO_URL: from("assets-mongo-admin-platform", "connectionString.standardSrv") },
  },
  "redis-cluster": {
    ...{ of: "redis", secrets: ["asset-register-redis"], port: 6379 },
    env: {
      REDIS_CLUSTER:
        "redis-cluster-0.redis-cluster-headless.data:6379,redis-cluster-1.redis-cluster-headless.data:6379",
    },
  },
  "redis-managed": { of: "redis", secrets: ["asset-register-redis"], port: 6380 },
  "redis-sentinel": {
    ...{ of: "redis", secrets: ["asset-register-redis"], port: 26379 },
    env: {
      REDIS_SENTINELS: [0, 1, 2].map((at) => `redis-node-${at}.redis-headless.data:26379`).join(","),
      REDIS_SENTINEL_NAME: "mymaster",
    },
  },
};
const names = Object.keys(ways);
const all = new Map<string, Rendered>();

beforeAll(async () => {
  if (helm === undefined) return;
  for (const name of names) all.set(name, await render(helm, "small", [], [`dependencies/${name}.yaml`]));
}, BUILD_MS);

test("each file of dependencies/ is tested", () => {
  expect(readdirSync(path.join(CHART, "dependencies")).toSorted()).toEqual(
    names.map((name) => `${name}.yaml`),
  );
});

describe.runIf(helm)("each way to have a dependency", () => {
  test("its objects match the schemas, without unknown fields", async () => {
    const objects = new Map<string, Manifest>();
    for (const rendered of all.values())
      for (const one of rendered.all) objects.set(JSON.stringify(one), one);
    expect(await typeProblems([...objects.values()])).toEqual([]);
  });

  test.each(names)("%s: pods, policies, references and settings are right", async (name) => {
    const rendered = all.get(name)!;
    expect([
      ...workloadsOf(rendered).flatMap(podProblems),
      ...networkProblems(rendered),
      ...referenceProblems(rendered),
      ...(await settingsProblems(rendered)),
    ]).toEqual([]);
  });

  test.each(names)("%s: each setting reaches the containers with the dependency, and no others", (name) => {
    const { of, env = {}, secrets = [], port } = ways[name]!;
    const rendered = all.get(name)!;
    let reached = 0;
    for (const { name: workload, template } of workloadsOf(rendered)) {
      const [container] = template.spec?.containers ?? [];
      const component = template.metadata?.labels?.["app.kubernetes.io/component"] ?? "";
      const uses = component === "cli" ? ["kafka"] : readComponents()[component]?.uses;
      const given = new Map(container?.env?.map(({ name, value, valueFrom }) => [name, value ?? valueFrom]));
      const referred = container?.envFrom?.map(({ secretRef }) => secretRef?.name) ?? [];
      const has = uses?.includes(of) ?? false;
      reached += has ? 1 : 0;
      for (const [setting, value] of Object.entries(env))
        expect(given.get(setting), `${workload} ${setting}`).toEqual(has ? value : undefined);
      const mounted = template.spec?.volumes?.some(({ secret }) =>
        secret?.secretName?.endsWith("-kafka-user"),
      );
      expect(mounted ?? false, workload).toBe(has && name === "kafka-strimzi");
      for (const secret of secrets) expect(referred.includes(secret), `${workload} ${secret}`).toBe(has);
      for (const value of given.values()) {
        if (typeof value !== "string" || !value.startsWith("/etc/asset-register/")) continue;
        const folders = container?.volumeMounts?.map(({ mountPath }) => mountPath);
        expect(folders, `${workload} ${value}`).toContain(path.dirname(value));
      }
    }
    expect(reached).toBeGreaterThan(1);
    const ports = rendered
      .of("NetworkPolicy")
      .flatMap(({ spec }) => spec?.egress ?? [])
      .flatMap((rule) => rule.ports ?? [])
      .map((one) => one.port);
    expect(ports).toContain(port);
  });

  test("Strimzi's Kafka has three brokers on different nodes, keeps acknowledged events, and stays after an uninstall", () => {
    const rendered = all.get("kafka-strimzi")!;
    const [pool] = rendered.of("KafkaNodePool");
    expect(pool?.spec).toMatchObject({ replicas: 3, roles: ["controller", "broker"] });
    const [kafka] = rendered.of("Kafka");
    expect(kafka?.spec.kafka.config).toMatchObject({
      "default.replication.factor": 3,
      "min.insync.replicas": 2,
      "offsets.topic.replication.factor": 3,
      "unclean.leader.election.enable": false,
    });
    const topics = rendered.of("KafkaTopic");
    expect(topics.length).toBeGreaterThan(10);
    for (const { spec } of topics) expect(spec.replicas).toBe(3);
    const kept = [
      ...rendered.of("Kafka"),
      ...rendered.of("KafkaNodePool"),
      ...rendered.of("KafkaUser"),
      ...topics,
    ];
    for (const { metadata } of kept) {
      expect(metadata.annotations).toEqual({ "helm.sh/resource-policy": "keep" });
      expect(metadata.labels["strimzi.io/cluster"]).toBe(kafka?.metadata.name);
    }
  });

  test.each([
    ["topics by a job that would run before Kafka exists", "topics.mode=hook", /topics.mode must be strimzi/],
    ["hooks that would wait for its certificates", "migrations.mode=hook", /migrations.mode must be job/],
    ["one broker of three", "kafka.singleBroker=true", /singleBroker must be false/],
  ])("%s is refused", async (_, set, message) => {
    await expect(render(helm!, "small", [set], ["dependencies/kafka-strimzi.yaml"])).rejects.toThrow(message);
  });

  test("without a Secret of Redis, Sentinels or a cluster have to be named", async () => {
    const files = ["dependencies/redis-cluster.yaml"];
    await expect(render(helm!, "small", ["secrets.redis="], files)).resolves.toBeDefined();
    await expect(
      render(helm!, "small", ["secrets.redis=", "redis.settings.REDIS_CLUSTER="], files),
    ).rejects.toThrow(/secrets.redis is required/);
  });
});
