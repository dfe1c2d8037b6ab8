import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditEntry } from "../../published.ts";

export type DeleteAgent = { id: string; ifRevIn: readonly number[] };

/** Removes an agent with its token and its secret. Its readers stay. */
export async function deleteAgent(context: Context, { id, ifRevIn }: DeleteAgent, call: Call): Promise<void> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const at = context.now();
  await mongo.transaction(call, async (session) => {
    const agent = requireFound(await stores.agents.get(workspaceId, id, session), "agent");
    requireRev(agent.rev, ifRevIn);
    await stores.agents.remove(workspaceId, agent, session);
    const { name, readerIds } = agent;
    const changes = changesBetween({ name, readerIds }, {});
    await outbox.add(session, auditEntry(call, at, "agent.deleted", id, changes));
  });
}
