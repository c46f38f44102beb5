import { useState } from "preact/hooks";
import { Mark } from "./mark.tsx";

/** Asks for the bearer token of the server; it is kept in memory only. */
export function TokenForm({ refused, onToken }: { refused: boolean; onToken: (token: string) => void }) {
  const [text, setText] = useState("");
  return (
    <main class="token">
      <Mark />
      <h1>This model is behind a token</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onToken(text.trim());
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Open the model</button>
        {refused && <p role="alert">The server did not accept this token.</p>}
      </form>
    </main>
  );
}
