import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { SelectionBar } from "../../parts/selection-bar.tsx";
import { actionable, useAlertAction } from "./use-alerts.ts";

type Props = { alerts: readonly Schemas["Alert"][]; onDone: () => void };

/** The actions for the selected alerts. */
export function AlertBar({ alerts, onDone }: Props) {
  const { t } = useTranslation();
  const action = useAlertAction(onDone);
  const button = (name: "ack" | "resolve", text: string) => (
    <Button
      size="xs"
      variant="light"
      disabled={action.isPending || actionable(alerts, name).length === 0}
      loading={action.isPending && action.variables.action === name}
      onClick={() => action.mutate({ alerts, action: name })}
    >
      {text}
    </Button>
  );
  return (
    <SelectionBar count={alerts.length} onClear={onDone}>
      {button("ack", t("alerts.acknowledge"))}
      {button("resolve", t("alerts.resolve"))}
    </SelectionBar>
  );
}
