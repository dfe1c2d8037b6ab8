import { Badge, Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/client.ts";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { useFormat } from "../../../parts/workspace.ts";

type Props = { apiKey: Schemas["ApiKey"]; onOpen: (dialog: "rotate" | "revoke") => void };

/** A key: what it may do, who made it, and whether it is used. */
export function ApiKeyCard({ apiKey, onOpen }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, scopes, created_by_user, last_used_at, last_used_address } = apiKey;
  const { expires_at, previous_valid_until } = apiKey;
  const ended = stateOf(apiKey);
  const lastUse = (): string => {
    if (last_used_at === null) return t("apiKeys.neverUsed");
    const when = format.ago(last_used_at);
    return last_used_address === null
      ? t("apiKeys.lastUsed", { when })
      : t("apiKeys.lastUsedFrom", { when, address: last_used_address });
  };
  const lines = [
    scopes.join(", "),
    created_by_user && t("apiKeys.createdBy", { name: created_by_user.name }),
    lastUse(),
    expires_at && t("apiKeys.expiresAt", { when: format.time(expires_at) }),
    isAhead(previous_valid_until) && t("apiKeys.previous", { when: format.time(previous_valid_until) }),
    apiKey.allowed_addresses.length > 0 &&
      t("apiKeys.onlyFrom", { addresses: apiKey.allowed_addresses.join(", ") }),
  ];
  return (
    <RecordCard
      title={name}
      badges={
        ended && (
          <Badge variant="light" color="gray" tt="none">
            {t(`apiKeys.${ended}`)}
          </Badge>
        )
      }
      actions={
        ended !== "revoked" && (
          <>
            <Button
              size="xs"
              variant="default"
              aria-label={`${t("secret.rotate")}: ${name}`}
              onClick={() => onOpen("rotate")}
            >
              {t("secret.rotate")}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={`${t("apiKeys.revoke")}: ${name}`}
              onClick={() => onOpen("revoke")}
            >
              {t("apiKeys.revoke")}
            </Button>
          </>
        )
      }
    >
      {lines.map((line) => line && <CardLine key={line}>{line}</CardLine>)}
    </RecordCard>
  );
}

const isAhead = (at: string | null): at is string => at !== null && new Date(at).getTime() > Date.now();

function stateOf({ revoked_at, expires_at }: Schemas["ApiKey"]): "revoked" | "expired" | undefined {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && !isAhead(expires_at) ? "expired" : undefined;
}
