import { StrictMode, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { recipes } from "./recipes.js";
import { usePeer } from "./usePeer.js";

function Page() {
  const { peer, error } = usePeer();
  if (error !== null) return <p role="alert">This page could not be opened: {error.message}</p>;
  if (peer === null) return <p role="status">The page is being opened.</p>;
  return <Suggestions peer={peer} />;
}

function Suggestions({ peer }) {
  const [choice, setChoice] = useState(null);
  const suggest = useCallback(() => setChoice(peer.choose(recipes)), [peer]);
  // Not while rendering: React may render twice, and every choice waits for a reward.
  useEffect(suggest, [suggest]);
  if (choice === null) return null;
  const answer = async (value) => {
    await choice.reward(value);
    suggest();
  };
  const { own, follows } = peer.state();
  return (
    <>
      <h1>{choice.item.name}</h1>
      <p>
        {choice.item.kind}, {choice.item.minutes} minutes
      </p>
      <button type="button" id="yes" onClick={() => answer(1)}>
        Cook it
      </button>{" "}
      <button type="button" id="no" onClick={() => answer(0)}>
        Something else
      </button>
      <p role="status">
        Learnt from {own} answers. {follows ? "Another tab owns the store." : "This tab owns the store."}
      </p>
    </>
  );
}

createRoot(document.querySelector("#app")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
