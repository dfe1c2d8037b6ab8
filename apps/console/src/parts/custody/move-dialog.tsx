import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { NoteField } from "../note-field.tsx";
import { CustodianSelect, PlaceSelect } from "../record-select.tsx";
import { CUSTODY_CHANGES } from "./custody-changes.ts";

type Props = {
  asset: Pick<Schemas["Asset"], "id" | "name" | "location_id" | "custodian_id">;
  onClose: () => void;
};

/** Moves an asset to a place, a person or both. */
export function MoveDialog({ asset, onClose }: Props) {
  const { t } = useTranslation();
  const [location, setLocation] = useState(asset.location_id);
  const [custodian, setCustodian] = useState(asset.custodian_id);
  const [note, setNote] = useState("");
  return (
    <ActionDialog
      title={t("asset.move")}
      submit={t("asset.move")}
      done={t("issue.moved", { name: asset.name })}
      changes={CUSTODY_CHANGES}
      onClose={onClose}
      action={() =>
        api.POST("/movements", {
          body: {
            asset_id: asset.id,
            to_location_id: location,
            to_custodian_id: custodian,
            note: note || null,
          },
        })
      }
    >
      <PlaceSelect label={t("assets.location")} value={location} onChange={setLocation} data-autofocus />
      <CustodianSelect label={t("assets.custodian")} value={custodian} onChange={setCustodian} />
      <NoteField value={note} onChange={setNote} />
    </ActionDialog>
  );
}
