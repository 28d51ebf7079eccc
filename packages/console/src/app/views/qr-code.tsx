import { create } from "qrcode";

/** Light squares around the code, which readers of codes need. */
const margin = 4;

/** A text as a QR code. Dark on light in every theme: many readers take no other. */
export default function QrCode({ text, title }: { readonly text: string; readonly title: string }) {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const whole = size + 2 * margin;
  return (
    <svg className="qr" viewBox={`0 0 ${whole} ${whole}`} role="img" aria-label={title} shapeRendering="crispEdges">
      <rect width={whole} height={whole} fill="#ffffff" />
      <path d={squares(size, (row, column) => modules.get(row, column) === 1)} fill="#000000" />
    </svg>
  );
}

/** A path of a square for every dark place. */
function squares(size: number, isDark: (row: number, column: number) => boolean): string {
  const parts: string[] = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (isDark(row, column)) parts.push(`M${column + margin} ${row + margin}h1v1h-1z`);
    }
  }
  return parts.join("");
}
