import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { DEFAULT_OVERLAP_S, OverlapSelect } from "../../../parts/overlap-select.tsx";
import type { Reader } from "./reader-card.tsx";

type Props = { reader: Reader; onClose: () => void };

const paramsOf = (reader: Reader) => ({ path: { id: reader.id }, header: ifMatch(reader) });

type RotateProps = Props & { onSecret: (title: string, secret: string) => void };

/** Gives a reader a new secret. */
export function RotateReader({ reader, onSecret, onClose }: RotateProps) {
  const { t } = useTranslation();
  const [overlap, setOverlap] = useState(DEFAULT_OVERLAP_S);
  const rotate = async (): Promise<void> => {
    const request = api.POST("/readers/{id}/rotate-secret", {
      params: paramsOf(reader),
      body: { overlap_seconds: overlap },
    });
    const { data } = await rereadIfChanged("/readers", request);
    if (data !== undefined) onSecret(reader.name, data.secret);
  };
  return (
    <ActionDialog
      title={`${t("secret.rotate")}: ${reader.name}`}
      submit={t("secret.rotate")}
      done={t("secret.rotated", { name: reader.name })}
      changes={["/readers"]}
      onClose={onClose}
      action={rotate}
    >
      <OverlapSelect value={overlap} onChange={setOverlap} />
    </ActionDialog>
  );
}

/** Ends a reader. Its reads are refused from then on. */
export function RevokeReader({ reader, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("readers.revokeTitle", { name: reader.name })}
      submit={t("readers.revoke")}
      done={t("readers.revokedDone", { name: reader.name })}
      changes={["/readers", "/zones", "/home"]}
      danger
      onClose={onClose}
      action={() =>
        rereadIfChanged("/readers", api.POST("/readers/{id}/revoke", { params: paramsOf(reader) }))
      }
    >
      <Text size="sm">{t("readers.revokeText")}</Text>
    </ActionDialog>
  );
}
