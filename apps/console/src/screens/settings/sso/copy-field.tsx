import { ActionIcon, CopyButton, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

type Props = { label: string; text: string; description?: string };

/** A text to copy to another program. */
export function CopyField({ label, text, description }: Props) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={label}
      description={description}
      value={text}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSection={
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <ActionIcon variant="subtle" onClick={copy} aria-label={`${t("secret.copy")}: ${label}`}>
              {copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />}
            </ActionIcon>
          )}
        </CopyButton>
      }
    />
  );
}
