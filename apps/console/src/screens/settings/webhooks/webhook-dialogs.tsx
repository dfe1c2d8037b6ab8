import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { DEFAULT_OVERLAP_S, OverlapSelect } from "../../../parts/overlap-select.tsx";

type Props = { webhook: Schemas["Webhook"]; onClose: () => void };

const CHANGED = ["/webhooks", "/audit-log"];

const paramsOf = (webhook: Schemas["Webhook"]) => ({ path: { id: webhook.id }, header: ifMatch(webhook) });

/** Gives a webhook a new secret. */
export function RotateSecretDialog({
  webhook,
  onSecret,
  onClose,
}: Props & { onSecret: (webhook: Schemas["WebhookWithSecret"]) => void }) {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP_S);
  const rotate = async (): Promise<void> => {
    const request = api.POST("/webhooks/{id}/rotate-secret", {
      params: paramsOf(webhook),
      body: { overlap_seconds: overlap },
    });
    const { data } = await rereadIfChanged("/webhooks", request);
    if (data !== undefined) onSecret(data);
  };
  return (
    <ActionDialog
      title={`${t("secret.rotate")}: ${webhook.url}`}
      submit={t("secret.rotate")}
      done={t("secret.rotated", { name: webhook.url })}
      changes={CHANGED}
      onClose={onClose}
      action={rotate}
    >
      <OverlapSelect value={overlap} onChange={setOverlap} />
    </ActionDialog>
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("asset.deleteTitle", { name: webhook.url })}
      submit={t("action.delete")}
      done={t("asset.deletedDone", { name: webhook.url })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() => rereadIfChanged("/webhooks", api.DELETE("/webhooks/{id}", { params: paramsOf(webhook) }))}
    >
      <Text size="sm">{t("webhooks.deleteText")}</Text>
    </ActionDialog>
  );
}
