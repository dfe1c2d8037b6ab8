/** Options that could lose an acknowledged write, or read a write that can still be rolled back. */
const weak: Readonly<Record<string, (value: string) => boolean>> = {
  w: (value) => value !== "majority",
  journal: (value) => value !== "true",
  j: (value) => value !== "true",
  readconcernlevel: (value) => value !== "majority" && value !== "linearizable" && value !== "snapshot",
  retrywrites: (value) => value !== "true",
  directconnection: (value) => value === "true",
};

/** Returns the settings of a connection string that are not allowed in production, as `name=value`. */
export function weakSettings(url: string): string[] {
  const query = url.split("?", 2)[1] ?? "";
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => weak[name.toLowerCase()]?.(value) ?? false)
    .map(([name, value]) => `${name}=${value}`);
}

/** Whether the server is a replica set or a sharded cluster. Transactions and change streams need one. */
export function isReplicated(hello: Readonly<Record<string, unknown>>): boolean {
  return typeof hello.setName === "string" || hello.msg === "isdbgrid";
}
