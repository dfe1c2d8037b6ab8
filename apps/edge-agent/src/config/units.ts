import { z } from "zod";

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

const quantity = (pattern: RegExp, units: Readonly<Record<string, number>>, example: string) =>
  z.string(`must look like ${example}`).transform((text, context): number => {
    const [, amount, unit = ""] = pattern.exec(text) ?? [];
    const factor = units[unit];
    if (amount !== undefined && factor !== undefined) return Number(amount) * factor;
    context.addIssue({ code: "custom", message: `must look like ${example}` });
    return z.NEVER;
  });

/** "500ms", "1s", "5m" or "1h", as milliseconds. */
export const duration = () => quantity(/^(\d+)(ms|s|m|h)$/, MS, '"500ms", "1s" or "5m"');

/** "512MiB" or "2GiB", as bytes. */
export const bytes = () => quantity(/^(\d+)(B|KiB|MiB|GiB)$/, BYTES, '"512MiB" or "2GiB"');

const ADDRESS = /^(\[[0-9a-fA-F:]+\]|[^\s:[\]]+):(\d{1,5})$/;

export type Address = { host: string; port: number };

/** "127.0.0.1:8970" or "[::1]:8970". */
export const address = () =>
  z.string().transform((text, context): Address => {
    const [, host, port] = ADDRESS.exec(text) ?? [];
    if (host !== undefined && Number(port) <= 65_535)
      return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
    context.addIssue({ code: "custom", message: 'must look like "127.0.0.1:8970"' });
    return z.NEVER;
  });

/** An address that only this machine reaches. */
export const isLoopback = ({ host }: Address): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
