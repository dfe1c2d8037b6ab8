import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const TYPING_MS = 200;

type Props = { label: string; value: string | undefined; onSearch: (text: string | undefined) => void };

/** A text to search for. It is reported after a pause in typing. */
export function SearchBox({ label, value, onSearch }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(value ?? "");
  const find = useDebouncedCallback((q: string) => onSearch(q.trim() || undefined), TYPING_MS);
  const type = (next: string): void => {
    setText(next);
    find(next);
  };
  return (
    <TextInput
      flex="1 1 240px"
      maw={420}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== "" && <CloseButton size="sm" aria-label={t("action.clear")} onClick={() => type("")} />
      }
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
