import { useRef, useState } from "preact/hooks";
import { IMAGE } from "../frame/texts.ts";
import { PixelCanvas } from "./pixel-canvas.tsx";
import type { Image } from "./pixels.ts";

interface DrawingBoardProps {
  readonly image: Image;
  readonly width: number;
  /** Uses the brush at pixels, one after the other. */
  readonly onPaint: (pixels: readonly number[]) => void;
}

interface Point {
  readonly x: number;
  readonly y: number;
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
  /** Where the pressed pointer was last. */
  const last = useRef<Point | undefined>(undefined);
  const place = (event: PointerEvent): Point => {
    const box =
      event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;
    if (!box) return cursor;
    return {
      x: Math.floor(((event.clientX - box.left) / box.width) * width),
      y: Math.floor(((event.clientY - box.top) / box.height) * height),
    };
  };
  const stroke = (event: PointerEvent): void => {
    const to = place(event);
    const inside = pointsBetween(last.current ?? to, to).filter(
      ({ x, y }) => x >= 0 && y >= 0 && x < width && y < height,
    );
    last.current = to;
    onPaint(inside.map(({ x, y }) => y * width + x));
  };
  const lift = (): void => {
    last.current = undefined;
  };
  const key = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (!move && event.key !== " ") return;
    event.preventDefault();
    const [right, down] = move ?? [0, 0];
    const x = Math.min(width - 1, Math.max(0, cursor.x + right));
    const y = Math.min(height - 1, Math.max(0, cursor.y + down));
    setCursor({ x, y });
    if (!move || event.shiftKey) onPaint([y * width + x]);
  };
  return (
    <div
      class="board"
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is drawn on with the keys
      tabIndex={0}
      aria-label={IMAGE.board}
      onKeyDown={key}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        stroke(event);
      }}
      onPointerMove={(event) => last.current && stroke(event)}
      onPointerUp={lift}
      onPointerCancel={lift}
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

/** The pixels on the way from one to another, without a hole: a quick pointer reports only a few of them. */
function pointsBetween(from: Point, to: Point): Point[] {
  const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1);
  return Array.from({ length: steps }, (_, step) => {
    const share = (step + 1) / steps;
    return {
      x: Math.round(from.x + share * (to.x - from.x)),
      y: Math.round(from.y + share * (to.y - from.y)),
    };
  });
}
