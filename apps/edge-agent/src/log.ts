/** Fields of a log line. They never contain a secret. */
export type LogFields = Record<string, string | number | boolean | undefined>;

export type Log = Record<"info" | "warn" | "error", (message: string, fields?: LogFields) => void>;

/** Writes JSON lines, as the services of the platform do. */
export function createLog(write: (line: string) => void): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...fields })}\n`);
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
