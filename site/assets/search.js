// Search, without a server: the index was made with the site, and is fetched when somebody begins to search.
(() => {
  const { root } = document.currentScript.dataset;
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  input.disabled = false;
  let index = null;
  let chosen = -1;

  const load = (name) =>
    new Promise((resolve, reject) => {
      const tag = document.createElement("script");
      tag.src = `${root}assets/${name}`;
      tag.onload = resolve;
      tag.onerror = reject;
      document.head.append(tag);
    });

  let loading = null;
  function ready() {
    loading ??= Promise.all([load("minisearch.js"), load("search-index.js")]).then(() => {
      const options = { fields: ["heading", "title", "text"], storeFields: ["heading", "title", "url", "excerpt"] };
      index = MiniSearch.loadJSON(window.coterieIndex, options);
    });
    return loading;
  }

  async function search() {
    await ready();
    const words = input.value.trim();
    const found = words === "" ? [] : index.search(words, window.coterieQuery());
    results.replaceChildren(...found.slice(0, 12).map(row));
    if (words !== "" && found.length === 0) {
      const nothing = document.createElement("li");
      nothing.className = "nothing";
      nothing.textContent = "Nothing found";
      results.append(nothing);
    }
    choose(found.length > 0 ? 0 : -1);
    open(words !== "");
  }

  function row({ heading, title, url, excerpt }, k) {
    const item = document.createElement("li");
    item.id = `result-${k}`;
    item.setAttribute("role", "option");
    const link = document.createElement("a");
    link.href = root + url;
    link.tabIndex = -1;
    const head = document.createElement("b");
    head.textContent = heading;
    const where = document.createElement("small");
    where.textContent = title === heading ? "" : title;
    const text = document.createElement("span");
    text.textContent = excerpt;
    link.append(head, where, text);
    item.append(link);
    return item;
  }

  function open(yes) {
    results.hidden = !yes;
    input.setAttribute("aria-expanded", String(yes));
  }

  function choose(k) {
    const items = results.querySelectorAll("[role=option]");
    chosen = items.length === 0 ? -1 : (k + items.length) % items.length;
    for (const [at, item] of items.entries()) item.setAttribute("aria-selected", String(at === chosen));
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", `result-${chosen}`);
      items[chosen].scrollIntoView({ block: "nearest" });
    }
  }

  input.addEventListener("focus", ready);
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") results.querySelectorAll("a")[chosen]?.click();
    else if (event.key === "Escape") {
      input.value = "";
      open(false);
    } else return;
    event.preventDefault();
  });
  results.addEventListener("click", () => open(false));
  document.addEventListener("click", ({ target }) => {
    if (!target.closest(".search")) open(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    input.focus();
  });
})();
