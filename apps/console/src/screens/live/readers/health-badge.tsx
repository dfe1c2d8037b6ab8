import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/client.ts";

/** Why a reader is not well. Nothing for one that is, or that was not judged yet. */
export function HealthBadge({ health }: Pick<Schemas["Reader"], "health">) {
  const { t } = useTranslation();
  if (health?.state !== "degraded") return null;
  return (
    <Badge
      variant="light"
      color="orange"
      c="var(--mantine-color-text)"
      tt="none"
      fw={550}
      h="auto"
      styles={{ label: { whiteSpace: "normal" } }}
    >
      {health.reasons.map((reason) => t(`readerReason.${reason}`)).join(" · ")}
    </Badge>
  );
}
