import type { Secrets } from "./secrets.ts";

export type ServerUrls = { mongo: { url: string }; kafka: { url: string }; redis: { url: string } };

export type Addresses = { grpc: string; health: string };

export type PlatformSettings = {
  servers: ServerUrls;
  secrets: Secrets;
  /** The addresses of each service, without the gateway. */
  services: ReadonlyMap<string, Addresses>;
  gateway: { http: string; health: string };
  /** Undefined for the default names. */
  topicPrefix: string | undefined;
  /** The folder of the built console, and the file with the sign-in of the demo. Undefined: no console. */
  console?: { directory: string; demoFile: string } | undefined;
};

type Table = Record<string, (secrets: Secrets) => Record<string, string>>;

/** Settings that only one service needs. All other settings follow the same rules for every service. */
const ownSettings: Table = {
  // The demo has no mail server.
  identity: (secrets) => ({ TOKEN_PEPPER: secrets.random("identity.pepper"), INVITATION_TOKENS: "answer" }),
  // Demo receivers listen on this machine. Production refuses this setting.
  notification: () => ({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }),
};

/** The environment of a service: servers, its own addresses and secrets, and the addresses of the other services. */
export function serviceEnvironment(settings: PlatformSettings, name: string): Record<string, string> {
  const addresses = settings.services.get(name);
  if (addresses === undefined) throw new Error(`${name} is not a service`);
  return {
    ...commonSettings(settings, name),
    MONGO_URL: settings.servers.mongo.url,
    MONGO_DATABASE: databaseName(name, settings.topicPrefix),
    GRPC_ADDRESS: addresses.grpc,
    HEALTH_ADDRESS: addresses.health,
    KEYRING: settings.secrets.keyring(name),
    ...ownSettings[name]?.(settings.secrets),
  };
}

/** The environment of the gateway, which owns no data. */
export function gatewayEnvironment(settings: PlatformSettings): Record<string, string> {
  return {
    ...commonSettings(settings, "gateway"),
    HTTP_ADDRESS: settings.gateway.http,
    HEALTH_ADDRESS: settings.gateway.health,
    ...(settings.console && {
      CONSOLE_DIR: settings.console.directory,
      DEMO_SIGN_IN: settings.console.demoFile,
    }),
  };
}

/** `asset_register_<service>`, or with a topic prefix of its own `<prefix>_<service>`. */
export function databaseName(service: string, topicPrefix: string | undefined): string {
  return `${topicPrefix ?? "asset-register."}${service}`.replace(/[^a-z0-9]+/gi, "_");
}

/** A shutdown can take twice as long, which is less than the 20 s after which `stop` kills a process. */
const SHUTDOWN_TIMEOUT_MS = "8000";

function commonSettings(settings: PlatformSettings, name: string): Record<string, string> {
  const { servers, secrets, services, gateway, topicPrefix } = settings;
  return {
    // As a person opens it in a browser, and as labels have it.
    PUBLIC_URL: `http://localhost:${gateway.http.split(":").at(-1)}`,
    KAFKA_BROKERS: servers.kafka.url,
    REDIS_URL: servers.redis.url,
    ...(topicPrefix === undefined ? {} : { TOPIC_PREFIX: topicPrefix }),
    SHUTDOWN_TIMEOUT_MS,
    SERVICE_PRIVATE_KEY: secrets.privateKey(name),
    TRUSTED_KEYS: secrets.trustedKeys([...services.keys(), "gateway"]),
    ...Object.fromEntries([...services].map(([other, { grpc }]) => [addressSetting(other), grpc])),
  };
}

/** The setting with a service's address: TAGGING_INGEST_ADDRESS for `tagging-ingest`. */
function addressSetting(service: string): string {
  return `${service.replaceAll("-", "_").toUpperCase()}_ADDRESS`;
}
