import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../api/client.ts";
import { subjectOf } from "../../parts/alert-subject.ts";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { runEach } from "../../parts/run-each.ts";
import { usePages } from "../../parts/use-pages.ts";
import { type AlertSearch, alertQuery } from "./alert-search.ts";

const EXPAND = ["asset", "zone", "location", "reader", "user"] as const;

/** The alerts of a search, the newest first. */
export const useAlerts = (search: AlertSearch) =>
  usePages("/alerts", JSON.stringify(alertQuery(search)), (page, signal) =>
    api.GET("/alerts", {
      params: { query: { ...page, ...alertQuery(search), sort: "-id", expand: [...EXPAND] } },
      signal,
    }),
  );

export type AlertAction = "ack" | "resolve";

/** The alerts on which an action has an effect. */
export const actionable = (alerts: readonly Schemas["Alert"][], action: AlertAction) =>
  alerts.filter(({ status }) => status === "open" || (status === "acknowledged" && action === "resolve"));

const post = (id: string, action: AlertAction) => {
  const params = { path: { id } };
  // Without If-Match: neither has an effect twice, and whoever was first is shown.
  return action === "ack"
    ? api.POST("/alerts/{id}/ack", { params })
    : api.POST("/alerts/{id}/resolve", { params });
};

/** Acknowledges or resolves alerts, each by a request of its own: the API has no route for many. */
export function useAlertAction(onDone?: () => void) {
  const { t } = useTranslation();
  return useMutation({
    async mutationFn({ alerts, action }: { alerts: readonly Schemas["Alert"][]; action: AlertAction }) {
      const asked = actionable(alerts, action).map((one) => ({ id: one.id, name: subjectOf(t, one) }));
      let count = 0;
      await runEach(
        asked,
        ({ id }) => post(id, action),
        () => {
          count += 1;
        },
      ).catch(notifyFailed);
      if (count > 0)
        notifyDone(t(action === "ack" ? "alerts.acknowledgedDone" : "alerts.resolvedDone", { count }));
    },
    onSettled() {
      invalidate("/alerts", "/home");
      onDone?.();
    },
  });
}
