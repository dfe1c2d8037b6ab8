import { Alert, Box, Button, Text } from "@mantine/core";
import { IconCamera, IconCameraOff } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./camera.module.css";

/** The time between two looks at the picture. */
const LOOK_MS = 150;
/** The same code is one scan while it stays in the picture. */
const SAME_MS = 3_000;

type Props = { onCode: (code: string) => void };

/** Scans with the camera of the device. Nothing is recorded or sent. */
export function Camera({ onCode }: Props) {
  const { t } = useTranslation();
  const [on, setOn] = useState(false);
  const [failure, setFailure] = useState<string>();
  return (
    <>
      {on && (
        <Viewfinder
          onCode={onCode}
          onFailed={(error) => {
            setOn(false);
            setFailure(t(isRefused(error) ? "scan.cameraRefused" : "scan.cameraMissing"));
          }}
        />
      )}
      {failure && (
        <Alert color="yellow" role="alert" mb="sm">
          {failure}
        </Alert>
      )}
      <Button
        variant={on ? "default" : "filled"}
        fullWidth
        leftSection={on ? <IconCameraOff size={18} aria-hidden /> : <IconCamera size={18} aria-hidden />}
        onClick={() => {
          setFailure(undefined);
          setOn(!on);
        }}
      >
        {t(on ? "scan.cameraOff" : "scan.cameraOn")}
      </Button>
    </>
  );
}

const isRefused = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "NotAllowedError";

function Viewfinder({ onCode, onFailed }: Props & { onFailed: (error: unknown) => void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef({ onCode, onFailed });
  latest.current = { onCode, onFailed };
  useEffect(() => {
    const stopped = new AbortController();
    void watch(video.current, stopped.signal, (code) => latest.current.onCode(code)).catch((error) => {
      if (!stopped.signal.aborted) latest.current.onFailed(error);
    });
    return () => stopped.abort();
  }, []);
  return (
    <Box className={classes.box} mb="sm">
      <video ref={video} className={classes.video} muted playsInline aria-label={t("scan.viewfinder")} />
      <Text size="xs" className={classes.hint}>
        {t("scan.hint")}
      </Text>
    </Box>
  );
}

/** Shows the camera's picture, and reports each code in it, until `signal` aborts. */
async function watch(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  if (video === null) return;
  const constraints = { video: { facingMode: "environment", width: { ideal: 1280 } }, audio: false };
  const [stream, { codeIn }] = await Promise.all([
    navigator.mediaDevices.getUserMedia(constraints),
    import("./detector.ts"),
  ]);
  const stop = (): void => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  video.srcObject = stream;
  await video.play();
  let last = { code: "", at: 0 };
  while (!signal.aborted) {
    const code = await codeIn(video);
    const now = performance.now();
    if (code !== undefined && !signal.aborted) {
      if (code !== last.code || now - last.at > SAME_MS) onCode(code);
      last = { code, at: now };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
