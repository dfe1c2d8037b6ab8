import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { DEFAULT_OVERLAP_S, OverlapSelect } from "../../../parts/overlap-select.tsx";

type Props = { apiKey: Schemas["ApiKey"]; onClose: () => void };

const CHANGED = ["/api-keys", "/audit-log"];

const paramsOf = (key: Schemas["ApiKey"]) => ({ path: { id: key.id }, header: ifMatch(key) });

/** Gives a key a new text. */
export function RotateKeyDialog({
  apiKey,
  onText,
  onClose,
}: Props & { onText: (key: Schemas["ApiKeyWithText"]) => void }) {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP_S);
  return (
    <ActionDialog
      title={`${t("secret.rotate")}: ${apiKey.name}`}
      submit={t("secret.rotate")}
      done={t("secret.rotated", { name: apiKey.name })}
      changes={CHANGED}
      onClose={onClose}
      action={async () => {
        const request = api.POST("/api-keys/{id}/rotate", {
          params: paramsOf(apiKey),
          body: { overlap_seconds: overlap },
        });
        const { data } = await rereadIfChanged("/api-keys", request);
        if (data !== undefined) onText(data);
      }}
    >
      <OverlapSelect value={overlap} onChange={setOverlap} />
    </ActionDialog>
  );
}

/** Ends a key at once. */
export function RevokeKeyDialog({ apiKey, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("apiKeys.revokeTitle", { name: apiKey.name })}
      submit={t("apiKeys.revoke")}
      done={t("apiKeys.revokedDone", { name: apiKey.name })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() =>
        rereadIfChanged("/api-keys", api.POST("/api-keys/{id}/revoke", { params: paramsOf(apiKey) }))
      }
    >
      <Text size="sm">{t("apiKeys.revokeText")}</Text>
    </ActionDialog>
  );
}
