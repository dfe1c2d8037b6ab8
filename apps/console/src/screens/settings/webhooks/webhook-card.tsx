import { ActionIcon, Button, Menu, Switch } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../../api/client.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { notifyDone, notifyFailed } from "../../../parts/notify.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";

export type WebhookDialog = "edit" | "rotate" | "delete" | "deliveries";

type Props = { webhook: Schemas["Webhook"]; onOpen: (dialog: WebhookDialog) => void };

/** A webhook: its address, its events, and whether it is on. */
export function WebhookCard({ webhook, onOpen }: Props) {
  const { t } = useTranslation();
  const { id, url, events, status } = webhook;
  const change = useMutation({
    mutationFn: (next: Schemas["Webhook"]["status"]) =>
      api.PATCH("/webhooks/{id}", {
        params: { path: { id }, header: ifMatch(webhook) },
        body: { status: next },
      }),
    onError: notifyFailed,
    onSettled: () => invalidate("/webhooks", "/audit-log"),
  });
  const test = useMutation({
    mutationFn: () => api.POST("/webhooks/{id}/test", { params: { path: { id } } }),
    onSuccess: () => {
      notifyDone(t("webhooks.testSent"));
      onOpen("deliveries");
    },
    onError: notifyFailed,
    onSettled: () => invalidate("/webhooks"),
  });
  return (
    <RecordCard
      title={url}
      actions={
        <>
          <Switch
            aria-label={`${t("webhooks.on")}: ${url}`}
            checked={status === "active"}
            disabled={change.isPending}
            onChange={(event) => change.mutate(event.currentTarget.checked ? "active" : "disabled")}
          />
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("webhooks.deliveries")}: ${url}`}
            onClick={() => onOpen("deliveries")}
          >
            {t("webhooks.deliveries")}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size={30} aria-label={`${t("action.more")}: ${url}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onOpen("edit")}>{t("action.edit")}</Menu.Item>
              <Menu.Item disabled={status !== "active" || test.isPending} onClick={() => test.mutate()}>
                {t("webhooks.test")}
              </Menu.Item>
              <Menu.Item onClick={() => onOpen("rotate")}>{t("secret.rotate")}</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" onClick={() => onOpen("delete")}>
                {t("action.delete")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      <CardLine>{events.map((event) => (event === "*" ? t("webhooks.all") : event)).join(", ")}</CardLine>
    </RecordCard>
  );
}
