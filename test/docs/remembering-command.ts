import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes a program `conformant` into a folder, for shells to find on their path. It is the command, but that a fit of the same words on the same
 * files as one before is not made again: many pages begin with the same one, and it gives the same bytes each time.
 *
 * @param command the file of the command
 */
export function writeRememberingCommand(folder: string, command: string): void {
  const fits = join(folder, "fits");
  mkdirSync(fits, { recursive: true });
  const file = join(folder, "conformant");
  writeFileSync(file, script(`"${process.execPath}" "${command}"`, fits));
  chmodSync(file, 0o755);
}

function script(run: string, fits: string): string {
  return `#!/usr/bin/env bash
output= sums= before=
for word in "$@"; do
  if [ "$before" = -o ]; then output=$word; elif [ -f "$word" ]; then sums+=$(cksum < "$word"); fi
  before=$word
done
if [ "$1" != fit ] || [ -z "$output" ]; then exec ${run} "$@"; fi
made="${fits}/$(printf '%s\\n' "$@" "$sums" | cksum | tr ' ' -)"
if [ ! -d "$made" ]; then
  fresh=$(mktemp -d "${fits}/XXXXXX")
  ${run} "$@" > "$fresh/out" 2> "$fresh/err"
  status=$?
  if [ $status != 0 ]; then cat "$fresh/out"; cat "$fresh/err" >&2; exit $status; fi
  cp "$output" "$fresh/model"
  mv "$fresh" "$made"
fi
cp "$made/model" "$output"
cat "$made/out"
cat "$made/err" >&2
`;
}
