import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { type OpenCheckout, openCheckout, ReturnDialog } from "../../parts/custody/return-dialog.tsx";
import { MoreButton } from "../../parts/more-button.tsx";
import { useSelection } from "../../parts/selection.tsx";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { type View, viewQuery } from "./checkout-search.ts";
import { CheckoutTable } from "./checkout-table.tsx";
import { type ListedCheckout, nameOf } from "./listed-checkout.ts";

const EXPAND = ["asset", "custodian", "department", "location"] as const;

/** The check-outs of a view. Several can be taken back at once. */
export function CheckoutList({ view, issue }: { view: View; issue: ReactNode }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [returning, setReturning] = useState<readonly OpenCheckout[]>();
  const { rows, ...found } = usePages("/checkouts", view, (page, signal) =>
    api.GET("/checkouts", {
      params: { query: { ...page, ...viewQuery[view], expand: [...EXPAND] } },
      signal,
    }),
  );
  const selection = useSelection(rows);
  if (found.isPending) return <Loading />;
  if (found.isError && rows.length === 0)
    return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (rows.length === 0)
    return (
      <Empty title={t(`checkouts.${view}EmptyTitle`)} text={t(`checkouts.${view}EmptyText`)}>
        {view === "out" && issue}
      </Empty>
    );
  const mayReturn = may("edit") && view !== "returned";
  const takeBack = (checkouts: readonly ListedCheckout[]): void =>
    setReturning(checkouts.map((one) => openCheckout({ name: nameOf(one) }, one)));
  return (
    <>
      <CheckoutTable
        checkouts={rows}
        selection={mayReturn ? selection : undefined}
        onReturn={mayReturn ? (one) => takeBack([one]) : undefined}
      />
      <MoreButton found={found} />
      {selection.rows.length > 0 && (
        <SelectionBar count={selection.rows.length} onClear={selection.clear}>
          <Button size="xs" variant="light" onClick={() => takeBack(selection.rows)}>
            {t("asset.return")}
          </Button>
        </SelectionBar>
      )}
      {returning && <ReturnDialog checkouts={returning} onClose={() => setReturning(undefined)} />}
    </>
  );
}
