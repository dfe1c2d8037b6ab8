import { testKeyring, testKeys } from "@asset-register/harness";
import { redisOptions, redisSettings } from "@asset-register/redis";
import { createCertificateWatch, createLogger, loadConfig } from "@asset-register/runtime";
import { z } from "zod";
import { type Rendered, readComponents } from "./chart.ts";
import { loadConfigurations } from "./configurations.ts";
import { workloadsOf } from "./policies.ts";

/** The Secrets that the chart expects, by a key of each. */
const keys = testKeys("gateway", ...Object.keys(readComponents()));
const secret = (component: string): Record<string, string> => ({
  MONGO_URL: "mongodb://mongo.data:27017/?replicaSet=rs0",
  REDIS_URL: "redis://redis.data:6379",
  SERVICE_PRIVATE_KEY: keys.privateKeyPem[component] ?? "",
  TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
  KEYRING: testKeyring(),
  TOKEN_PEPPER: "0123456789abcdef0123456789abcdef",
});

const certificates = createCertificateWatch({ logger: createLogger({ service: "test", level: "silent" }) });

/** Settings that the code of a process does not know, or refuses. */
export async function settingsProblems(rendered: Rendered): Promise<string[]> {
  const configurations = await loadConfigurations();
  return workloadsOf(rendered).flatMap(({ name, template }) => {
    const [container] = template.spec?.containers ?? [];
    const component = template.metadata?.labels?.["app.kubernetes.io/component"] ?? "";
    // The command line has settings of its own.
    if (component === "cli") return [];
    const configuration = configurations.get(component);
    if (configuration === undefined) return [`${name} has no settings in the code`];
    const env = container?.env ?? [];
    const unknown = env.filter((variable) => !Object.hasOwn(configuration.shape, variable.name));
    const plain = env.flatMap((variable) =>
      variable.value === undefined ? [] : [[variable.name, variable.value]],
    );
    const mail = container?.envFrom?.some(({ secretRef }) => secretRef?.name === "asset-register-smtp");
    const smtp = mail ? { SMTP_URL: "smtp://mail:25", MAIL_FROM: "register@example.com" } : {};
    const given = { ...secret(component), ...smtp, ...Object.fromEntries(plain) };
    return [
      ...unknown.map((variable) => `${name} has the unknown setting ${variable.name}`),
      ...problemsOf(name, () => {
        loadConfig(configuration.schema, given);
        // REDIS_TLS_CA is a file of a Secret.
        redisOptions(loadConfig(z.object(redisSettings), { ...given, REDIS_TLS_CA: "" }), certificates);
      }),
    ];
  });
}

function problemsOf(name: string, check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`];
  }
}
