import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { CHART, KUBERNETES, PROFILES, type Profile, type Rendered, readComponents, render } from "./chart.ts";
import { loadConfigurations } from "./configurations.ts";
import { typeProblems } from "./object-types.ts";
import { networkProblems, podProblems, referenceProblems, selects, workloadsOf } from "./policies.ts";
import { describeRules } from "./rules.ts";
import { settingsProblems } from "./settings.ts";
import { findHelm, findPromtool } from "./tools.ts";

const run = promisify(execFile);
/** A new machine builds helm, beside the tests of other files. */
const BUILD_MS = 1_200_000;

const helm = await findHelm();
const profiles = new Map<Profile, Rendered>();
const rendered = (profile: Profile): Rendered => profiles.get(profile)!;

beforeAll(async () => {
  if (helm === undefined) return;
  for (const profile of PROFILES) profiles.set(profile, await render(helm, profile));
}, BUILD_MS);

describe.runIf(helm)("each profile", () => {
  test.each(PROFILES)("%s passes helm lint --strict", async (profile) => {
    const values = path.join(CHART, "ci", `${profile}-values.yaml`);
    await run(helm!, ["lint", "--strict", CHART, ...KUBERNETES, "--values", values]);
  });

  test("objects match the schemas of Kubernetes and the operators, without unknown fields", async () => {
    expect(await typeProblems(PROFILES.flatMap((profile) => rendered(profile).all))).toEqual([]);
  });

  test("the check of schemas finds a field that does not exist", async () => {
    const [deployment] = rendered("small").of("Deployment");
    const wrong = { ...deployment!, spec: { ...deployment!.spec!, replica: 1 } };
    expect((await typeProblems([wrong])).join("\n")).toMatch(/replica.* does not exist/);
  });

  test.each(PROFILES)("pods of %s have no privileges, bounded memory and a fixed image", (profile) => {
    expect(workloadsOf(rendered(profile)).flatMap(podProblems)).toEqual([]);
  });

  test.each(PROFILES)(
    "NetworkPolicies of %s cover each pod, and only the sender and single sign-on reach the internet",
    (profile) => {
      expect(networkProblems(rendered(profile))).toEqual([]);
    },
  );

  test.each(PROFILES)("selectors, autoscalers and accounts of %s have their objects", (profile) => {
    expect(referenceProblems(rendered(profile))).toEqual([]);
  });

  test.each(PROFILES)("no two objects of %s have the same kind and name", (profile) => {
    const names = rendered(profile).all.map(
      ({ kind, metadata }) => `${kind} ${metadata?.namespace} ${metadata?.name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(PROFILES)(
    "the settings of %s are accepted by the code, and each one is known to it",
    async (profile) => expect(await settingsProblems(rendered(profile))).toEqual([]),
  );

  test.each(PROFILES)("a process of %s has more time than its stop can take", (profile) => {
    for (const { spec } of rendered(profile).of("Deployment")) {
      const pod = spec?.template?.spec;
      const stop = pod?.containers[0]?.env?.find(({ name }) => name === "SHUTDOWN_TIMEOUT_MS");
      // runApp gives up after twice the setting; preStop waits 5 s before.
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan((2 * Number(stop?.value)) / 1_000 + 5);
    }
  });

  test.each(PROFILES)(
    "each Deployment of %s with two or more replicas has a disruption budget",
    (profile) => {
      const budgets = new Set(
        rendered(profile)
          .of("PodDisruptionBudget")
          .map(({ metadata }) => metadata?.name),
      );
      for (const { metadata, spec } of rendered(profile).of("Deployment"))
        if ((spec?.replicas ?? 0) > 1) expect(budgets).toContain(metadata?.name);
      for (const { metadata, spec } of rendered(profile).of("HorizontalPodAutoscaler"))
        if ((spec?.minReplicas ?? 0) > 1) expect(budgets).toContain(metadata?.name);
    },
  );
});

describe.runIf(helm)("roles", () => {
  test("production has one Deployment for each role, and every role runs", () => {
    const expected = Object.entries(readComponents()).flatMap(([component, { roles }]) =>
      component === "gateway" ? [component] : roles.map((role) => `${component}-${role}`),
    );
    const names = rendered("production")
      .of("Deployment")
      .map(({ metadata }) => metadata?.name);
    expect(names.toSorted()).toEqual(expected.map((name) => `assets-asset-register-${name}`).toSorted());
  });

  test("the combined layout runs every role too, and the sender alone", () => {
    const roles = rendered("small")
      .of("Deployment")
      .map(({ spec }) => {
        const [container] = spec?.template?.spec?.containers ?? [];
        return [container?.name, container?.env?.find(({ name }) => name === "ROLES")?.value ?? "api"];
      });
    expect(roles).toContainEqual(["notification", "sender"]);
    expect(roles).toContainEqual(["notification", "api,worker,relay"]);
    expect(roles).toHaveLength(Object.keys(readComponents()).length + 1);
  });

  test("a migration job runs MIGRATE=only for each database, and Deployments never migrate", () => {
    const migrate = (kind: "Job" | "Deployment") =>
      rendered("production")
        .of(kind)
        .flatMap(({ spec }) =>
          (spec?.template?.spec?.containers[0]?.env ?? [])
            .filter(({ name }) => name === "MIGRATE")
            .map(({ value }) => value),
        );
    expect(migrate("Job")).toEqual(Array(Object.keys(readComponents()).length - 1).fill("only"));
    expect(new Set(migrate("Deployment"))).toEqual(new Set(["never"]));
  });

  test("in the mode job, a job of another version has another name, because a Job cannot change", async () => {
    const next = await render(helm!, "gitops", ["image.tag=1.2.4"]);
    const names = (jobs: Rendered) => jobs.of("Job").map(({ metadata }) => metadata?.name);
    expect(names(next)).toHaveLength(7);
    expect(names(next).filter((name) => names(rendered("gitops")).includes(name))).toEqual([]);
  });
});

test.runIf(helm)(
  "each setting that is a file is one of a mounted Secret, so that renewed certificates arrive",
  () => {
    const folder = "/etc/asset-register/";
    for (const { name, template } of workloadsOf(rendered("production"))) {
      const [container] = template.spec?.containers ?? [];
      const paths = (container?.env ?? []).filter(({ value }) => value?.startsWith(folder));
      // The command line calls no service.
      if (template.metadata?.labels?.["app.kubernetes.io/component"] !== "cli")
        expect(paths, name).toContainEqual({ name: "GRPC_TLS_CERT", value: `${folder}grpc-tls/tls.crt` });
      for (const { value = "" } of paths) {
        const mount = container?.volumeMounts?.find(({ mountPath }) => mountPath === path.dirname(value));
        expect(mount, `${name} ${value}`).toMatchObject({ readOnly: true });
        const volume = template.spec?.volumes?.find((one) => one.name === mount?.name);
        const component = template.metadata?.labels?.["app.kubernetes.io/component"];
        expect(volume?.secret?.secretName).toBe(
          value.includes("/grpc-tls/") ? `asset-register-tls-${component}` : "asset-register-authorities",
        );
      }
    }
  },
);

test.runIf(helm)(
  "helm test runs the main job against the gateway, and only the gateway and DNS are in its reach",
  () => {
    const job = rendered("production")
      .of("Job")
      .find(({ metadata }) => metadata?.annotations?.["helm.sh/hook"] === "test");
    const { metadata, spec } = job?.spec?.template ?? {};
    const gateway = rendered("production")
      .of("Service")
      .find((one) => one.metadata?.name === "assets-asset-register-gateway");
    const url = `http://${gateway?.metadata?.name}.assets.svc:${gateway?.spec?.ports?.[0]?.port}`;
    expect(spec?.containers[0]).toMatchObject({
      args: ["smoke-test", url],
      envFrom: [{ secretRef: { name: "asset-register-smoke-test" } }],
    });
    const policies = rendered("production").of("NetworkPolicy");
    const own = policies.filter(({ spec }) => selects(spec?.podSelector?.matchLabels, metadata?.labels));
    expect(
      own.flatMap(({ spec }) => spec?.egress ?? []).flatMap(({ ports }) => ports?.map(({ port }) => port)),
    ).toEqual([53, 53, 8080]);
    const gatewayPolicy = policies.find((one) => one.metadata?.name === "assets-asset-register-gateway");
    const callers = gatewayPolicy?.spec?.ingress?.flatMap(({ from }) => from ?? []) ?? [];
    expect(
      callers.filter(({ podSelector }) => podSelector && selects(podSelector.matchLabels, metadata?.labels)),
    ).toHaveLength(1);
    expect(
      rendered("small")
        .of("Job")
        .some((one) => one.metadata?.annotations?.["helm.sh/hook"] === "test"),
    ).toBe(false);
  },
);

test.runIf(helm)("with one broker, topics have one replica and every process accepts that", () => {
  const jobs = rendered("small").of("Job");
  const topics = jobs.find(({ metadata }) => metadata?.name?.endsWith("topics"));
  expect(topics?.spec?.template?.spec?.containers[0]?.args?.slice(-2)).toEqual(["--replication", "1"]);
  for (const { spec, metadata } of [...jobs, ...rendered("small").of("Deployment")])
    if (!metadata?.name?.endsWith("gateway"))
      expect(spec?.template?.spec?.containers[0]?.env).toContainEqual({
        name: "KAFKA_SINGLE_BROKER",
        value: "true",
      });
});

test.runIf(helm)(
  "autoscalers by metrics grow by two pods in two minutes, and a missing metric is no 0",
  () => {
    const scalers = rendered("production").of("ScaledObject");
    expect(scalers.map(({ metadata }) => metadata?.name)).toContain(
      "assets-asset-register-notification-sender",
    );
    for (const { spec } of scalers) {
      const { scaleUp } = spec?.advanced?.horizontalPodAutoscalerConfig?.behavior ?? {};
      expect(scaleUp?.policies).toEqual([{ type: "Pods", value: 2, periodSeconds: 120 }]);
      for (const { metadata } of spec?.triggers ?? []) expect(metadata.ignoreNullValues).toBe("false");
    }
  },
);

describe.runIf(helm)("values that are refused", () => {
  test.each([
    ["an unknown value", "small", "replicaz=3", /replicaz|additional/i],
    ["an unknown component", "small", "components.registre.settings.LOG_LEVEL=info", /registre|additional/i],
    ["an unknown role", "small", "components.register.roles.sender.replicas=1", /sender|additional/i],
    [
      "a secret among the settings",
      "small",
      "components.register.settings.MONGO_URL=mongodb://x",
      /MONGO_URL|not/,
    ],
    ["a setting that the chart sets", "small", "settings.ROLES=api", /ROLES|not/],
    ["the tag latest", "small", "image.tag=latest", /tag/],
    ["no registry", "small", "image.registry=", /image.registry is required/],
    ["no Secret of MongoDB", "small", "secrets.mongo=", /secrets.mongo is required/],
    ["no Secret of Redis", "small", "secrets.redis=", /secrets.redis is required/],
    ["calls between services in clear", "small", "secrets.grpcTls=", /grpcTls is required/],
    ["no address of the platform", "small", "publicUrl=", /publicUrl is required/],
    ["no brokers", "small", "kafka.brokers=", /kafka.brokers is required/],
    ["a replication that can lose events", "small", "topics.replication=1", /replication/],
    ["tokens in answers that nobody asked for", "small", "components.identity=null", /INVITATION_TOKENS/],
    ["any caller of the gateway", "small", "networkPolicy.ingress.from=null", /ingress.from is required/],
    ["any destination as the database", "small", "networkPolicy.mongo.to=null", /mongo.to is required/],
    ["an Ingress for any host", "small", "ingress.host=", /ingress.host is required/],
    ["an Ingress that is no trusted proxy", "small", "components.gateway.settings=null", /TRUSTED_PROXIES/],
    ["a route without a Gateway", "gitops", "gatewayApi.parentRefs=null", /parentRefs is required/],
    [
      "Strimzi without its cluster",
      "gitops",
      "topics.strimzi.cluster=",
      /topics.strimzi.cluster is required/,
    ],
    ["more workers than partitions", "production", "topics.partitions=12", /more than topics.partitions/],
    [
      "fewer replicas at most than at least",
      "production",
      "roles.api.autoscaling.maxReplicas=1",
      /less than minReplicas/,
    ],
    ["autoscaling without Prometheus", "production", "keda.prometheusUrl=", /keda.prometheusUrl is required/],
    ["an unknown role's layout", "small", "layout=single", /layout/],
  ] as const)("%s", async (_, profile, set, message) => {
    await expect(render(helm!, profile, [set])).rejects.toThrow(message);
  });
});

if (helm !== undefined) describeRules(await findPromtool(), () => rendered("production"));

test("files/components.yaml is what the settings of the code say", async () => {
  const uses = {
    kafka: "KAFKA_BROKERS",
    mongo: "MONGO_URL",
    providers: "SSO_PRIVATE_ISSUERS",
    "public-url": "PUBLIC_URL",
    redis: "REDIS_URL",
    s3: "S3_BUCKET",
    smtp: "SMTP_URL",
  };
  const configurations = await loadConfigurations();
  const derived = [...configurations].map(([name, { shape }]) => {
    const peers = [...configurations.keys()].filter((peer) =>
      Object.hasOwn(shape, `${peer.replaceAll("-", "_").toUpperCase()}_ADDRESS`),
    );
    const { roles } = readComponents()[name] ?? {};
    for (const role of roles ?? [])
      if ("ROLES" in shape)
        expect(shape.ROLES?.safeParse(role), `${name} has no role ${role}`).toMatchObject({ success: true });
    if ("ROLES" in shape) expect(shape.ROLES?.parse(undefined)).toEqual(roles);
    return [
      name,
      {
        roles,
        calls: peers.toSorted(),
        uses: Object.entries(uses)
          .filter(([, setting]) => setting in shape)
          .map(([use]) => use),
      },
    ];
  });
  expect(readComponents()).toEqual(Object.fromEntries(derived));
});
