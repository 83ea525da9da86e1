// Helps to read: folds the list of pages away on narrow screens, and copies code.
(() => {
  if (matchMedia("(max-width: 900px)").matches) document.querySelector(".contents details").open = false;

  for (const block of document.querySelectorAll("article pre:not(.lines)")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      let said = "Copied";
      try {
        await navigator.clipboard.writeText(block.querySelector("code").textContent);
      } catch {
        said = "Not allowed";
      }
      copy.textContent = said;
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, copy);
  }
})();
