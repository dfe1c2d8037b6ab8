import { isIPv4 } from "node:net";
import { z } from "zod";

/** Lists all problems of the environment. It does not contain the values, because some are secrets. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Parses the environment once, at boot. An empty variable counts as not set, because charts and compose files
 * often contain empty variables.
 *
 * @throws ConfigError that names every variable with a problem
 */
export function loadConfig<S extends z.ZodType>(
  schema: S,
  env: Record<string, string | undefined>,
): z.output<S> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const variable = String(issue.path[0] ?? "environment");
      const inside = issue.path.slice(1).join(".");
      const message = set[variable] === undefined && issue.path.length === 1 ? "is not set" : issue.message;
      return `${variable}${inside === "" ? "" : ` (${inside})`}: ${message}`;
    }),
  );
}

export type Address = { host: string; port: number };

const ADDRESS = /^(\[[0-9a-fA-F:]+\]|[^\s:[\]]+):(\d{1,5})$/;

function parseAddress(text: string): Address | undefined {
  const [, host, port] = ADDRESS.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

const isIpv4Address = (text: string): boolean => isIPv4(parseAddress(text)?.host ?? "");

const PEM = /^-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----\s*$/;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Schemas of common kinds of settings. All of them parse a text. */
export const settings = {
  /** "host:port" or "[v6]:port". With port 0 the system chooses the port. */
  address: () =>
    z.string().transform((text, context): Address => {
      const address = parseAddress(text);
      if (address !== undefined) return address;
      context.addIssue({ code: "custom", message: 'must look like "host:port"' });
      return z.NEVER;
    }),
  /**
   * Where another service is: "host:port", or the IPv4 addresses of its processes, separated by commas, which share the
   * calls. The result is a gRPC target.
   */
  upstream: () =>
    z.string().transform((text, context): string => {
      const parts = text.split(",").map((part) => part.trim());
      const valid = parts.every((part) =>
        parts.length === 1 ? parseAddress(part) !== undefined : isIpv4Address(part),
      );
      if (valid) return parts.length === 1 ? text.trim() : `ipv4:${parts.join(",")}`;
      const message = 'must look like "host:port", or "ip:port,ip:port" with IPv4 addresses';
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }),
  /** Comma-separated list with at least one part. Blanks around the parts are removed. */
  list: () =>
    z.string().transform((text, context): string[] => {
      const parts = text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
      if (parts.length === 0) context.addIssue({ code: "custom", message: "must name at least one" });
      return parts;
    }),
  /** "250ms", "30s", "10m", "24h", "7d" or a plain number of milliseconds. The result is in milliseconds. */
  duration: () =>
    z.string().transform((text, context): number => {
      const match = /^(\d+)(ms|s|m|h|d)?$/.exec(text.trim());
      if (match === null) {
        context.addIssue({ code: "custom", message: 'must look like "250ms", "30s", "10m" or "24h"' });
        return z.NEVER;
      }
      return Number(match[1]) * (UNIT_MS[match[2] ?? "ms"] ?? 1);
    }),
  /** A whole number between `min` and `max`. */
  integer: ({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) =>
    z
      .string()
      .regex(/^-?\d+$/, "must be a whole number")
      .transform(Number)
      .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)),
  /** "true" or "false". */
  flag: () => z.enum(["true", "false"], "must be true or false").transform((text) => text === "true"),
  /** An absolute URL. */
  url: () => z.string().refine((text) => URL.canParse(text), "must be a URL"),
  /** A connection string of MongoDB, which may list several hosts. */
  mongoUrl: () => z.string().regex(/^mongodb(\+srv)?:\/\/./, "must begin with mongodb:// or mongodb+srv://"),
  /** A PEM block. Line ends may be the two characters "\n", as some secret stores write them. */
  pem: () =>
    z
      .string()
      .transform((text) => text.replaceAll("\\n", "\n"))
      .refine((text) => PEM.test(text), "must be PEM"),
  /** A PEM block, or the absolute path of a file with one, which is read again when it changes. */
  pemOrFile: () =>
    z
      .string()
      .transform((text) => text.replaceAll("\\n", "\n"))
      .refine(
        (text) => text.startsWith("/") || PEM.test(text),
        "must be PEM or the absolute path of a PEM file",
      ),
  /** JSON that matches a schema. */
  json: <S extends z.ZodType>(schema: S) =>
    z
      .string()
      .transform((text, context): unknown => {
        try {
          return JSON.parse(text);
        } catch {
          context.addIssue({ code: "custom", message: "must be JSON" });
          return z.NEVER;
        }
      })
      .pipe(schema),
};

/** Whether NODE_ENV is "production" or unset, as in baseSettings. For code that has no settings. */
export const isProduction = (): boolean => (process.env.NODE_ENV || "production") === "production";

/** The settings of every process. Spread them into its own schema. */
export const baseSettings = {
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  HEALTH_ADDRESS: settings.address().prefault("0.0.0.0:9090"),
  OTEL_EXPORTER_OTLP_ENDPOINT: settings.url().optional(),
  SHUTDOWN_TIMEOUT_MS: settings.integer({ min: 100, max: 600_000 }).prefault("25000"),
};
