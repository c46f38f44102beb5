import { useRef, useState } from "preact/hooks";
import { PixelCanvas } from "./pixel-canvas.tsx";
import type { Image } from "./pixels.ts";

interface DrawingBoardProps {
  readonly image: Image;
  readonly width: number;
  /** Uses the brush at a pixel. */
  readonly onPaint: (pixel: number) => void;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The image to draw on: with a mouse or finger, or with arrow keys and the space bar. */
export function DrawingBoard({ image, width, onPaint }: DrawingBoardProps) {
  const height = image.ink.length / width;
  const [cursor, setCursor] = useState({ x: width >> 1, y: height >> 1 });
  const pressed = useRef(false);
  const board = useRef<HTMLDivElement>(null);
  const use = (event: PointerEvent): void => {
    const box = board.current?.getBoundingClientRect();
    if (!box) return;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    if (x >= 0 && y >= 0 && x < width && y < height) onPaint(y * width + x);
  };
  const key = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (!move && event.key !== " ") return;
    event.preventDefault();
    const [right, down] = move ?? [0, 0];
    const x = Math.min(width - 1, Math.max(0, cursor.x + right));
    const y = Math.min(height - 1, Math.max(0, cursor.y + down));
    setCursor({ x, y });
    if (!move || event.shiftKey) onPaint(y * width + x);
  };
  return (
    <div
      ref={board}
      class="board"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is drawn on with the keys
      tabIndex={0}
      aria-label="Image. Arrow keys move the brush, space uses it, shift and an arrow do both."
      onKeyDown={key}
      onPointerDown={(event) => {
        pressed.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        use(event);
      }}
      onPointerMove={(event) => pressed.current && use(event)}
      onPointerUp={() => {
        pressed.current = false;
      }}
      onPointerCancel={() => {
        pressed.current = false;
      }}
    >
      <PixelCanvas image={image} width={width} label="the image as it is known" />
      <span
        class="cursor"
        style={{
          left: `${(100 * cursor.x) / width}%`,
          top: `${(100 * cursor.y) / height}%`,
          width: `${100 / width}%`,
          height: `${100 / height}%`,
        }}
      />
    </div>
  );
}
