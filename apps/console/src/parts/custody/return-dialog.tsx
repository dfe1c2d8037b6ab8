import { Select, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { NoteField } from "../note-field.tsx";
import { runEach } from "../run-each.ts";
import { CUSTODY_CHANGES } from "./custody-changes.ts";
import type { Condition } from "./issue.ts";
import { useConditions } from "./use-conditions.ts";

/** An open check-out, and the asset that is out. */
export type OpenCheckout = { id: string; name: string; holder: string | null };

export const openCheckout = (asset: { name: string }, checkout: Schemas["Checkout"]): OpenCheckout => ({
  id: checkout.id,
  name: asset.name,
  holder: checkout.issued_to_name,
});

type Props = { checkouts: readonly OpenCheckout[]; onClose: () => void };

/** Takes assets back. Those that fail stay, with the reason. */
export function ReturnDialog({ checkouts: given, onClose }: Props) {
  const { t } = useTranslation();
  const conditions = useConditions();
  const [checkouts, setCheckouts] = useState(given);
  const [condition, setCondition] = useState<Condition | null>("good");
  const [note, setNote] = useState("");
  const [first] = given;
  const name = given.length === 1 ? first?.name : undefined;
  return (
    <ActionDialog
      title={name === undefined ? t("issue.returnMany", { count: checkouts.length }) : t("asset.return")}
      submit={t("asset.return")}
      done={
        name === undefined
          ? t("issue.returnedMany", { count: checkouts.length })
          : t("issue.returned", { name })
      }
      changes={CUSTODY_CHANGES}
      onClose={onClose}
      action={() =>
        runEach(
          checkouts,
          ({ id }) =>
            api.POST("/checkouts/{id}/return", {
              params: { path: { id } },
              body: { condition_in: condition, note: note || null },
            }),
          (id) => setCheckouts((left) => left.filter((one) => one.id !== id)),
        )
      }
    >
      {name !== undefined && (
        <Text size="sm" c="dimmed" className="wrap">
          {name} · {t("asset.issuedTo")}: {first?.holder}
        </Text>
      )}
      <Select
        label={t("asset.condition")}
        data={conditions}
        value={condition}
        onChange={setCondition}
        data-autofocus
      />
      <NoteField value={note} onChange={setNote} />
    </ActionDialog>
  );
}
