/** Options that would lose an acknowledged write or read one that can still be rolled back. */
const weak: Readonly<Record<string, (value: string) => boolean>> = {
  w: (value) => value !== "majority",
  journal: (value) => value !== "true",
  j: (value) => value !== "true",
  readconcernlevel: (value) => value !== "majority" && value !== "linearizable" && value !== "snapshot",
  retrywrites: (value) => value !== "true",
  directconnection: (value) => value === "true",
};

/** Every setting of a connection string that production does not allow, as `name=value`. */
export function weakSettings(url: string): string[] {
  const query = url.split("?", 2)[1] ?? "";
  return [...new URLSearchParams(query)]
    .filter(([name, value]) => weak[name.toLowerCase()]?.(value) ?? false)
    .map(([name, value]) => `${name}=${value}`);
}

/** Transactions and change streams need a replica set or a sharded cluster. */
export function isReplicated(hello: Readonly<Record<string, unknown>>): boolean {
  return typeof hello.setName === "string" || hello.msg === "isdbgrid";
}
