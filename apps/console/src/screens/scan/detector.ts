import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import wasm from "zxing-wasm/reader/zxing_reader.wasm?url";

// The file is served from here: no other origin is asked.
prepareZXingModule({ overrides: { locateFile: () => wasm } });

const detector = new BarcodeDetector({
  formats: ["qr_code", "data_matrix", "code_128", "code_39", "ean_13", "ean_8", "upc_a", "itf"],
});

/** The first code in a picture. */
export async function codeIn(picture: ImageBitmapSource): Promise<string | undefined> {
  const [found] = await detector.detect(picture);
  return found?.rawValue || undefined;
}
