import { Select, type SelectProps } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ManySelect } from "./many-select.tsx";
import { type NamedAsset, useFoundAssets } from "./use-found-assets.ts";

type OneProps = Omit<SelectProps, "data" | "value" | "onChange"> & {
  value: NamedAsset | null;
  onChange: (asset: NamedAsset | null) => void;
};

/** Chooses an asset. */
export function AssetSelect({ value, onChange, ...props }: OneProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value?.name ?? "");
  // The name of the chosen asset is no search.
  const found = useFoundAssets(text.trim() === value?.name.trim() ? "" : text);
  const options = found.map(({ id, name }) => ({ value: id, label: name }));
  const isListed = value === null || found.some(({ id }) => id === value.id);
  return (
    <Select
      searchable
      clearable
      nothingFoundMessage={t("nav.nothingFound")}
      // The server has searched.
      filter={({ options: all }) => all}
      searchValue={text}
      onSearchChange={setText}
      data={isListed ? options : [{ value: value.id, label: value.name }, ...options]}
      value={value?.id ?? null}
      onChange={(id, option) => onChange(id === null ? null : { id, name: option?.label ?? id })}
      {...props}
    />
  );
}

type ManyProps = {
  label: string;
  required?: boolean;
  value: readonly NamedAsset[];
  onChange: (value: NamedAsset[]) => void;
};

/** Chooses several assets. */
export function AssetsSelect({ value, onChange, ...props }: ManyProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const names = new Map([...value, ...useFoundAssets(text)].map(({ id, name }) => [id, name]));
  return (
    <ManySelect
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={t("nav.nothingFound")}
      // The server has searched.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value.map(({ id }) => id)}
      onChange={(ids) => {
        setText("");
        onChange(ids.map((id) => ({ id, name: names.get(id) ?? id })));
      }}
      {...props}
    />
  );
}
