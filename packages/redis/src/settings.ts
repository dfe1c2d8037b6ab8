import type { SecureContext } from "node:tls";
import { type Address, type CertificateWatch, ConfigError, settings } from "@asset-register/runtime";
import { z } from "zod";

const addresses = () => settings.list().pipe(z.array(settings.address()));

/**
 * The settings of every process that uses Redis. Spread them into its schema. redisOptions checks how they go together.
 */
export const redisSettings = {
  /** The server. With Sentinel or a cluster: only the user, the password, TLS and the database; its host is not used. */
  REDIS_URL: settings.url().optional(),
  /** The Sentinels that know the primary. */
  REDIS_SENTINELS: addresses().optional(),
  /** The name of the primary at its Sentinels. */
  REDIS_SENTINEL_NAME: z.string().optional(),
  /** The password of the Sentinels themselves. */
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  /** Some nodes of a cluster. The others are learnt from them. */
  REDIS_CLUSTER: addresses().optional(),
  /** The certificate authority of a server with `rediss://`. Default: those of the system. */
  REDIS_TLS_CA: settings.pemOrFile().optional(),
  /** Time-out of one command. */
  REDIS_TIMEOUT: settings.duration().prefault("50ms"),
};

const schema = z.object(redisSettings);

export type RedisConfig = z.output<typeof schema>;

/** Where Redis is: at `url`, or where the Sentinels say, or on the nodes of a cluster. */
export type RedisServers = {
  url?: string | undefined;
  sentinels?: { addresses: Address[]; name: string; password?: string | undefined } | undefined;
  cluster?: Address[] | undefined;
  secureContext?: SecureContext | undefined;
};

/** Whether the settings name a Redis. */
export const namesRedis = ({ REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER }: Partial<RedisConfig>): boolean =>
  [REDIS_URL, REDIS_SENTINELS, REDIS_CLUSTER].some((setting) => setting !== undefined);

/**
 * Converts parsed settings to options of createRedis.
 * @throws ConfigError if they name no Redis, or more than one
 */
export function redisOptions(
  config: RedisConfig,
  certificates: CertificateWatch,
): RedisServers & { timeoutMs: number } {
  const problems = problemsOf(config);
  if (problems.length > 0) throw new ConfigError(problems);
  const { REDIS_URL: url, REDIS_TLS_CA: ca, REDIS_TIMEOUT: timeoutMs } = config;
  const {
    REDIS_SENTINELS: sentinels,
    REDIS_SENTINEL_NAME: name = "",
    REDIS_SENTINEL_PASSWORD: password,
    REDIS_CLUSTER: cluster,
  } = config;
  return {
    url,
    sentinels: sentinels && { addresses: sentinels, name, password },
    cluster,
    secureContext: ca === undefined ? undefined : certificates.add("redis", { ca }).context,
    timeoutMs,
  };
}

function problemsOf(config: RedisConfig): string[] {
  const { REDIS_URL: url, REDIS_SENTINELS: sentinels, REDIS_CLUSTER: cluster } = config;
  const problems: string[] = [];
  if (!namesRedis(config))
    problems.push("REDIS_URL: is not set, and neither REDIS_SENTINELS nor REDIS_CLUSTER");
  if (sentinels && cluster)
    problems.push("REDIS_CLUSTER: only one of REDIS_SENTINELS and REDIS_CLUSTER may be set");
  if (sentinels && config.REDIS_SENTINEL_NAME === undefined) {
    problems.push("REDIS_SENTINEL_NAME: is not set, but REDIS_SENTINELS is");
  }
  for (const name of ["REDIS_SENTINEL_NAME", "REDIS_SENTINEL_PASSWORD"] as const) {
    if (!sentinels && config[name] !== undefined)
      problems.push(`${name}: is set, but REDIS_SENTINELS is not`);
  }
  if (cluster && url !== undefined && databaseOf(url) !== 0) {
    problems.push("REDIS_URL: names a database, but a cluster has only the database 0");
  }
  return problems;
}

/** The number of the database at the end of a URL. */
export const databaseOf = (url: string): number => Number(new URL(url).pathname.slice(1));
