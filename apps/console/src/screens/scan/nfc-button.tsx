import { Button } from "@mantine/core";
import { IconNfc } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { notifyFailed } from "../../parts/notify.tsx";

// Web NFC is only in Chromium for Android, and TypeScript does not know it.
type NfcRecord = { recordType: string; data?: DataView };
type NfcReading = { serialNumber: string; message: { records: readonly NfcRecord[] } };
type NfcReader = {
  scan(options: { signal: AbortSignal }): Promise<void>;
  onreading: (reading: NfcReading) => void;
};

declare global {
  interface Window {
    NDEFReader?: new () => NfcReader;
  }
}

/** The content of a tag: the address or text on it, else its serial number. */
function codeOf({ message, serialNumber }: NfcReading): string {
  const record = message.records.find(({ recordType }) => ["url", "text"].includes(recordType));
  const text = record?.data && new TextDecoder().decode(record.data).trim();
  return text || serialNumber.replaceAll(":", "").toUpperCase();
}

/** Reads NFC tags, on devices that can. */
export function NfcButton({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation();
  const [reading, setReading] = useState<AbortController>();
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => () => reading?.abort(), [reading]);
  const { NDEFReader } = window;
  if (NDEFReader === undefined) return null;
  const start = async (): Promise<void> => {
    const stop = new AbortController();
    const reader = new NDEFReader();
    reader.onreading = (found) => latest.current(codeOf(found));
    await reader.scan({ signal: stop.signal });
    setReading(stop);
  };
  return (
    <Button
      variant="default"
      leftSection={<IconNfc size={18} aria-hidden />}
      onClick={() => (reading === undefined ? void start().catch(notifyFailed) : setReading(undefined))}
    >
      {t(reading === undefined ? "scan.nfcOn" : "scan.nfcOff")}
    </Button>
  );
}
