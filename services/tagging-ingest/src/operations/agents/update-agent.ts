import type { Call } from "@asset-register/rpc";
import { changesTo, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Agent, AgentChange } from "../../domain/agents/agent.ts";
import { auditEntry } from "../../published.ts";
import { holdReaders, requireReaders } from "./hold-readers.ts";

export type UpdateAgent = { id: string; change: AgentChange; ifRevIn: readonly number[] };

/** Changes an agent. It learns of other readers at its next sync. */
export function updateAgent(context: Context, input: UpdateAgent, call: Call): Promise<Agent> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const { id, ifRevIn } = input;
  const at = context.now();
  return holdReaders(() =>
    mongo.transaction(call, async (session) => {
      const before = requireFound(await stores.agents.get(workspaceId, id, session), "agent");
      const { name = before.name, readerIds: wanted = before.readerIds } = input.change;
      const readers = { wanted, held: before.readerIds };
      const change = { name, readerIds: await requireReaders(context, workspaceId, readers, session) };
      requireRev(before.rev, ifRevIn);
      const changes = changesTo(before, change);
      if (changes.length === 0) return before;
      const agent = { ...before, ...change, rev: before.rev + 1 };
      await stores.agents.save(workspaceId, agent, before.rev, session);
      await outbox.add(session, auditEntry(call, at, "agent.updated", id, changes));
      return agent;
    }),
  );
}
