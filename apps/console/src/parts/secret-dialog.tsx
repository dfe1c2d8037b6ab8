import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

export type Secret = { title: string; label: string; text: string };

/** A text that the server shows only once, to copy. Only the button closes it: a click beside it would lose the text. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret.title}
      classNames={{ title: "wrap" }}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{t("secret.once")}</Alert>
        <TextInput
          label={secret.label}
          value={secret.text}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <CopyButton value={secret.text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={
                  copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />
                }
                onClick={copy}
                data-autofocus
              >
                {copied ? t("state.copied") : t("secret.copy")}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t("secret.kept")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
