import { type Activity, readUntil } from "./activity.ts";
import type { Send } from "./clients.ts";

const ASSETS = 3;
const FIRST_YEAR = 2006;

type Id = { id: string };
type Period = { year: number; month: number };
type Run = Id & { status: string; stale: boolean };
type Line = { period: Period; status: string; amount: number };
type Depreciation = { books: { nbv: number; lines: Line[] }[] };
type Report = { books: { rows: { category_id: string | null; charged: number }[] }[] };

/**
 * Posts a depreciation run for one month after the other. Each acknowledged month is booked once for each asset, and its
 * ledger, the counters of the report and the register have the same amounts.
 */
export async function depreciation(send: Send): Promise<Activity> {
  const { id: categoryId } = await send<Id>("POST", "/categories", { name: "Chaos machines" });
  const assets: string[] = [];
  for (let number = 1; number <= ASSETS; number += 1) {
    const { id } = await send<Id>("POST", "/assets", {
      ...{ name: `Chaos machine ${number}`, category_id: categoryId, cost: 60_000 * number },
      ...{ salvage_value: 0, useful_life_months: 600, in_service_date: `${FIRST_YEAR}-01-01` },
      depreciation_method: "straight_line",
    });
    assets.push(id);
  }
  const posted: Period[] = [];
  return {
    async step() {
      const month = monthOf(posted.length);
      const draft = await readRun(send, await send<Run>("POST", "/depreciation/runs", month));
      if (draft.stale) {
        await send("POST", `/depreciation/runs/${draft.id}/discard`);
        return;
      }
      const { id, status } = await readRun(
        send,
        await send<Run>("POST", `/depreciation/runs/${draft.id}/post`),
      );
      if (status !== "posted") throw new Error(`Run ${id} is ${status}.`);
      posted.push(month);
    },
    async verify() {
      let lost = 0;
      let doubled = 0;
      let charged = 0;
      for (const id of assets) {
        const { books } = await send<Depreciation>("GET", `/assets/${id}/depreciation?book=book`);
        const lines = books[0]?.lines.filter(({ status }) => status === "posted") ?? [];
        const months = new Set(lines.map(({ period }) => keyOf(period)));
        lost += posted.filter((month) => !months.has(keyOf(month))).length;
        doubled += lines.length - months.size;
        const booked = lines.reduce((sum, { amount }) => sum + amount, 0);
        const { cost, nbv } = await send<{ cost: number; nbv: number }>("GET", `/assets/${id}`);
        lost += Number(cost - booked !== nbv || books[0]?.nbv !== nbv);
        charged += booked;
      }
      const range = `from=${FIRST_YEAR}-01&to=${new Date().toISOString().slice(0, 7)}`;
      const { books } = await send<Report>("GET", `/reports/depreciation?book=book&${range}`);
      const row = books[0]?.rows.find(({ category_id }) => category_id === categoryId);
      lost += Number((row?.charged ?? 0) !== charged);
      return { what: "months of depreciation", acknowledged: posted.length, lost, doubled };
    },
  };
}

const monthOf = (index: number): Period => ({
  year: FIRST_YEAR + Math.floor(index / 12),
  month: (index % 12) + 1,
});

const keyOf = ({ year, month }: Period): string => `${year}-${month}`;

const readRun = (send: Send, { id }: Run): Promise<Run> =>
  readUntil<Run>(
    send,
    `/depreciation/runs/${id}`,
    ({ status }) => status !== "computing" && status !== "posting",
  );
