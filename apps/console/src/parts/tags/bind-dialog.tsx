import { Select, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { AssetSelect } from "../asset-select.tsx";
import type { NamedAsset } from "../use-found-assets.ts";
import { isEpc, type TagType, tagTypes } from "./tag-types.ts";

type Props = {
  /** Absent: it is chosen in the dialog. */
  asset?: NamedAsset;
  /** Absent: it is typed or scanned in the dialog. */
  code?: string;
  onClose: () => void;
};

/** Binds a code to an asset. A scanner that types, as most do, writes into the field and confirms. */
export function BindDialog({ asset: givenAsset, code: givenCode, onClose }: Props) {
  const { t } = useTranslation();
  const [asset, setAsset] = useState<NamedAsset | null>(givenAsset ?? null);
  const [code, setCode] = useState(givenCode ?? "");
  const [type, setType] = useState<TagType>(isEpc(code) ? "rfid" : "qr");
  return (
    <ActionDialog
      title={t("tag.bind")}
      submit={t("tag.bind")}
      done={t("tag.bound", { name: asset?.name ?? "" })}
      changes={["/assets", "/tags"]}
      disabled={asset === null || code.trim() === ""}
      onClose={onClose}
      action={() =>
        api.POST("/tags/commission", {
          body: { asset_id: asset?.id ?? "", type, ...(type === "rfid" ? { epc: code } : { code }) },
        })
      }
    >
      {givenCode !== undefined && (
        <Text size="sm" className="wrap">
          {givenCode}
        </Text>
      )}
      {givenAsset === undefined && (
        <AssetSelect label={t("tag.asset")} value={asset} onChange={setAsset} required />
      )}
      <Select
        label={t("tag.type")}
        data={tagTypes.map((value) => ({ value, label: t(`tagType.${value}`) }))}
        value={type}
        onChange={(value) => value && setType(value)}
        allowDeselect={false}
      />
      {givenCode === undefined && (
        <TextInput
          label={t(type === "rfid" ? "tag.epc" : "tag.code")}
          description={t("tag.codeHint")}
          required
          maxLength={256}
          autoComplete="off"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </ActionDialog>
  );
}
