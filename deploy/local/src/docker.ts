import type { Environment, Progress, RunningServer, ServerKind } from "./types.ts";
export async function findEngine(_env: Environment): Promise<{ client?: object; reason: string }> {
  return { reason: "none" };
}
export async function startContainer(
  _k: ServerKind,
  _c: object,
  _o: { dataDirectory: string; port: number; progress: Progress },
): Promise<RunningServer> {
  throw new Error();
}
