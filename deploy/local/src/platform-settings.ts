import type { Secrets } from "./secrets.ts";

export type ServerUrls = { mongo: { url: string }; kafka: { url: string }; redis: { url: string } };

export type Addresses = { grpc: string; health: string };

export type PlatformSettings = {
  servers: ServerUrls;
  secrets: Secrets;
  /** Each service and where it listens; the gateway is not among them. */
  services: ReadonlyMap<string, Addresses>;
  gateway: { http: string; health: string };
  /** Empty for the platform's own names. */
  topicPrefix: string | undefined;
};

type Table = Record<string, (secrets: Secrets) => Record<string, string>>;

/** What one service needs and no other; everything else is by the same rule for all. */
const own: Table = {
  identity: (secrets) => ({ TOKEN_PEPPER: secrets.random("identity.pepper") }),
  // Demo receivers listen on this machine. Production refuses this setting.
  notification: () => ({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }),
};

/** The environment of a service: servers, its own addresses and secrets, and where all the others are. */
export function serviceEnvironment(settings: PlatformSettings, name: string): Record<string, string> {
  const addresses = settings.services.get(name);
  if (addresses === undefined) throw new Error(`${name} is no service`);
  return {
    ...common(settings, name),
    MONGO_URL: settings.servers.mongo.url,
    MONGO_DATABASE: databaseName(name, settings.topicPrefix),
    GRPC_ADDRESS: addresses.grpc,
    HEALTH_ADDRESS: addresses.health,
    KEYRING: settings.secrets.keyring(name),
    ...own[name]?.(settings.secrets),
  };
}

/** The environment of the gateway, which owns no data. */
export function gatewayEnvironment(settings: PlatformSettings): Record<string, string> {
  return {
    ...common(settings, "gateway"),
    HTTP_ADDRESS: settings.gateway.http,
    HEALTH_ADDRESS: settings.gateway.health,
  };
}

/** `asset_register_<name>`; a run with its own topics has its own databases too. */
export function databaseName(service: string, topicPrefix: string | undefined): string {
  return `${topicPrefix ?? "asset-register."}${service}`.replace(/[^a-z0-9]+/gi, "_");
}

/** A stop may take twice that, which is within the 20 s after which this starter kills. */
const SHUTDOWN_TIMEOUT_MS = "8000";

function common(settings: PlatformSettings, name: string): Record<string, string> {
  const { servers, secrets, services, topicPrefix } = settings;
  return {
    KAFKA_BROKERS: servers.kafka.url,
    REDIS_URL: servers.redis.url,
    ...(topicPrefix === undefined ? {} : { TOPIC_PREFIX: topicPrefix }),
    SHUTDOWN_TIMEOUT_MS,
    SERVICE_PRIVATE_KEY: secrets.privateKey(name),
    TRUSTED_KEYS: secrets.trustedKeys([...services.keys(), "gateway"]),
    ...Object.fromEntries([...services].map(([other, { grpc }]) => [addressSetting(other), grpc])),
  };
}

/** `tagging-ingest` is found by TAGGING_INGEST_ADDRESS. */
function addressSetting(service: string): string {
  return `${service.replaceAll("-", "_").toUpperCase()}_ADDRESS`;
}
