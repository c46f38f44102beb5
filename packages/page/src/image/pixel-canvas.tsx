import { useEffect, useRef } from "preact/hooks";
import type { Image } from "./pixels.ts";

interface PixelCanvasProps {
  readonly image: Image;
  readonly width: number;
  /** Only these pixels are drawn; the others are grey like hidden ones. */
  readonly chosen?: ReadonlySet<number>;
  readonly label: string;
}

const [DARK, LIGHT, GREY] = [0x1b, 0xff, 0x9a];

/** An image as the paper draws it: black and white where a pixel is known, grey where it is not. */
export function PixelCanvas({ image, width, chosen, label }: PixelCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = image.ink.length / width;
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const picture = context.createImageData(width, height);
    for (let i = 0; i < image.ink.length; i++) {
      const known = !image.hidden[i] && (chosen?.has(i) ?? true);
      const shade = known ? (image.ink[i] ? LIGHT : DARK) : GREY;
      picture.data.set([shade, shade, shade, 255], 4 * i);
    }
    context.putImageData(picture, 0, 0);
  }, [image, chosen, width, height]);
  return <canvas ref={canvas} class="pixels" width={width} height={height} role="img" aria-label={label} />;
}
