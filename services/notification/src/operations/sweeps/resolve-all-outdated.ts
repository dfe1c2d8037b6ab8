import type { Context } from "../../context.ts";
import { resolveOutdated } from "../alert-rules/resolve-outdated.ts";

const PAGE = 100;

/** Resolves what requests left: the alerts of rules that were changed or deleted. */
export async function resolveAllOutdated(context: Context, signal: AbortSignal): Promise<void> {
  for (const outdated of await context.stores.outdatedRules.listAll(PAGE)) {
    if (signal.aborted) return;
    await resolveOutdated(context, outdated);
  }
}
