import { useState } from "preact/hooks";
import { Mark } from "./mark.tsx";
import { TOKEN } from "./texts.ts";

/** Asks for the bearer token of the server; it is kept in memory only. */
export function TokenForm({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }) {
  const [text, setText] = useState("");
  return (
    <main class="token">
      <Mark />
      <h1>{TOKEN.heading}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onToken(text.trim());
        }}
      >
        <label for="token">{TOKEN.token}</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{TOKEN.open}</button>
        {refused && <p role="alert">{TOKEN.refused}</p>}
      </form>
    </main>
  );
}
