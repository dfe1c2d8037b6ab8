import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { PagedList } from "../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../parts/record-card.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useFormat } from "../../parts/workspace.ts";

type Order = Schemas["WorkOrder"];

const LIST = "/assets/{id}/work-orders";

const colours: Record<Order["status"], string> = {
  open: "blue",
  in_progress: "yellow",
  on_hold: "orange",
  completed: "teal",
  cancelled: "gray",
};

/** Work orders of an asset: repairs, inspections and calibrations, done and to do. */
export function AssetOrders({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = usePages<Order>(LIST, id, (query, signal) =>
    api.GET(LIST, { params: { path: { id }, query: { ...query, sort: "-id", expand: ["user"] } }, signal }),
  );
  return (
    <PagedList found={found} empty={t("order.none")}>
      {(order) => <OrderCard key={order.id} order={order} />}
    </PagedList>
  );
}

function OrderCard({ order }: { order: Order }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { status, priority, total_cost: cost, due_at: due, completed_at: completed } = order;
  const facts = [
    t(`orderType.${order.type}`),
    order.assigned_to_user?.name,
    due !== null && completed === null && t("asset.due", { when: format.date(due) }),
    completed !== null && t("order.completedOn", { date: format.date(completed) }),
    cost !== null && cost > 0 && format.money(cost),
  ];
  const badge = { variant: "light", c: "var(--mantine-color-text)", tt: "none", fw: 550 } as const;
  return (
    <RecordCard
      title={order.title}
      badges={
        <>
          <Badge {...badge} color={colours[status]}>
            {t(`orderStatus.${status}`)}
          </Badge>
          {(priority === "high" || priority === "critical") && (
            <Badge {...badge} color="red">
              {t(`orderPriority.${priority}`)}
            </Badge>
          )}
        </>
      }
    >
      <CardLine>{facts.filter(Boolean).join(" · ")}</CardLine>
      {order.description && <CardLine>{order.description}</CardLine>}
    </RecordCard>
  );
}
