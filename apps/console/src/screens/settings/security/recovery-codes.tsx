import { Alert, Button, Code, CopyButton, Group, Modal, SimpleGrid, Stack } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

/** The codes, once. Only the button closes it: a click beside it would lose them. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation();
  const text = `${codes.join("\n")}\n`;
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), {
      href: address,
      download: "asset-register-recovery-codes.txt",
    });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("mfa.codesTitle")}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{t("mfa.codesOnce")}</Alert>
        <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {codes.map((code) => (
            <li key={code}>
              <Code fz="sm" block>
                {code}
              </Code>
            </li>
          ))}
        </SimpleGrid>
        <Group>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                leftSection={
                  copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />
                }
                onClick={copy}
              >
                {copied ? t("state.copied") : t("mfa.copy")}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" leftSection={<IconDownload size={17} aria-hidden />} onClick={save}>
            {t("mfa.save")}
          </Button>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t("mfa.kept")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
