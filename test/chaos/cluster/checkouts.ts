import { type Activity, readAll } from "./activity.ts";
import type { Send } from "./clients.ts";

type Id = { id: string };
type Asset = Id & { current_checkout: Id | null };

/** Issues and returns one asset in turn. Each acknowledged check-out exists once, and the last answer is the state. */
export async function checkouts(send: Send): Promise<Activity> {
  const asset = await send<Asset>("POST", "/assets", { name: "Chaos tool" });
  let issued = 0;
  let open: Id | undefined;
  return {
    async step() {
      if (open === undefined) {
        const external = { issued_to_type: "external", issued_to_name: "Acme" };
        open = await send<Id>("POST", "/checkouts", { asset_id: asset.id, ...external });
        issued += 1;
      } else {
        await send("POST", `/checkouts/${open.id}/return`, {});
        open = undefined;
      }
    },
    async verify() {
      const { length: stored } = await readAll(send, `/assets/${asset.id}/checkouts`);
      const { current_checkout } = await send<Asset>("GET", `/assets/${asset.id}`);
      const stateIsLost = current_checkout?.id !== open?.id;
      const lost = Math.max(0, issued - stored) + Number(stateIsLost);
      return { what: "check-outs", acknowledged: issued, lost, doubled: Math.max(0, stored - issued) };
    },
  };
}
