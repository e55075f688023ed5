"use strict";
// The gallery of pairs. Everything that comes from data enters the page as text, never as markup.
(() => {
  const PAGE = 20; // pairs in the page at a time: what is not shown is not in the document
  const LONG = 240; // characters of a reply that are shown before it is folded
  const data = JSON.parse(document.getElementById("gallery-data").textContent);
  const byId = new Map(data.pairs.map((pair, place) => [pair.id, place]));
  const at = (id) => document.getElementById(id);
  const list = at("pairs");
  const status = at("gallery-status");
  const form = at("filters");
  const fields = { family: at("filter-family"), outcome: at("filter-outcome"), judge: at("filter-judge"),
    agreement: at("filter-agreement"), text: at("filter-text") };
  const pagers = [...document.querySelectorAll(".pager")];
  let chosen = []; // places in data.pairs of the pairs that the filters leave
  let page = 0;
  let current = -1; // place in `chosen` of the pair that the keys moved to last

  // ---- elements

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // Signs that nobody would see, or that would turn the text around, are written as their code points.
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u180b-\u180d\u180f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
  const visible = (text) =>
    text.replace(/\r\n/g, "\n").replace(HIDDEN, (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

  const said = (text) => {
    const shown = visible(text);
    if (shown.length <= LONG) return make("span", { class: "said", dir: "auto" }, shown === "" ? "(empty)" : shown);
    const summary = make("summary", {}, make("span", { class: "said", dir: "auto" }, `${shown.slice(0, LONG)} …`));
    return make("details", {}, summary, make("span", { class: "said", dir: "auto" }, shown));
  };

  const plain = (text) => text.trim().toLowerCase().replace(/[.!]$/, "");

  const reading = (reply, raw) => {
    const outcome = reply.outcome || "answer";
    if (outcome !== "answer") {
      const why = reply.read ? `: ${visible(reply.read)}` : "";
      return make("span", { class: "reading lost" }, `○ ${outcome === "missing" ? "not asked" : outcome}${why}`);
    }
    const read = raw.length === 1 && plain(raw[0]) === reply.read ? "" : `, read as ${visible(reply.read || "")}`;
    return reply.right
      ? make("span", { class: "reading right" }, `✓ right${read}`)
      : make("span", { class: "reading wrong" }, `✗ wrong${read}`);
  };

  const replyCell = (reply, side) => {
    const raw = reply.said || [];
    return make("td", { role: "cell", "data-side": side }, ...raw.map(said), reading(reply, raw));
  };

  const judgeRow = (judge, n) => {
    const outcomes = (judge.outcomes || []).map((name) => data.outcomes[name].split(":")[0]).join(", ");
    const head = make("th", { scope: "row", role: "rowheader" }, visible(data.judges[n]));
    head.append(make("span", { class: "outcomes" }, outcomes));
    return make("tr", { role: "row" }, head, replyCell(judge.original, "original"), replyCell(judge.intervened, "intervened"));
  };

  const replies = (pair) => {
    const names = ["judge", "on the original", "on the intervened"];
    const head = make("tr", { role: "row" }, ...names.map((name) => make("th", { scope: "col", role: "columnheader" }, name)));
    const body = make("tbody", { role: "rowgroup" }, ...pair.judges.map(judgeRow));
    return make("table", { class: "replies", role: "table", "aria-label": `Replies to ${visible(pair.id)}` },
      make("thead", { role: "rowgroup" }, head), body);
  };

  // ---- pictures: only those near the window get a source

  const sources = new WeakMap();
  const load = (image) => { if (!image.hasAttribute("src")) image.src = sources.get(image); };
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) { load(entry.target); near.unobserve(entry.target); }
    }
  }, { rootMargin: "300px 0px" });
  window.addEventListener("beforeprint", () => list.querySelectorAll("img").forEach(load));

  const side = (pair, n) => {
    const name = ["original", "intervened"][n];
    let picture = make("div", { class: "blank" }, "no picture");
    if (pair.pictures) {
      picture = make("img", { alt: `${name} picture of ${visible(pair.id)}`, width: data.width, height: data.height, decoding: "async" });
      sources.set(picture, data.base + pair.pictures[n]);
      near.observe(picture);
    }
    const truth = make("strong", {}, visible(pair.truth[n]));
    return make("figure", {}, picture, make("figcaption", {}, `${name}, truth: `, truth));
  };

  const link = (pair) => `#pair-${encodeURIComponent(pair.id)}`;

  const card = (place) => {
    const pair = data.pairs[chosen[place]];
    const head = make("header", {},
      make("h3", {}, make("a", { href: link(pair) }, visible(pair.id))),
      make("span", { class: "note" }, [pair.family, pair.skill, pair.form, pair.change].filter(Boolean).map(visible).join(" · ")),
      make("span", { class: "note" }, pair.relevant ? "" : "control: the truth stays"));
    const question = make("p", { class: "question" }, visible(pair.question || "(the question's words are not at hand)"));
    const body = make("div", { class: "body" }, make("div", { class: "sides" }, side(pair, 0), side(pair, 1)), replies(pair));
    const article = make("article", { class: "pair", tabindex: "-1", "aria-label": `Pair ${visible(pair.id)}` }, head, question, body);
    article.dataset.place = place;
    article.addEventListener("focusin", () => { current = place; });
    return article;
  };

  // ---- filters and pages

  const agreements = {
    differ: (rights) => rights.some(Boolean) && !rights.every(Boolean),
    none: (rights) => !rights.some(Boolean),
    all: (rights) => rights.every(Boolean),
  };

  const fits = (pair) => {
    const { family, outcome, judge, agreement, text } = fields;
    if (family.value && visible(pair.family) !== family.value) return false;
    const asked = judge.value === "" ? pair.judges : [pair.judges[Number(judge.value)]];
    if (outcome.value && !asked.some((j) => (j.outcomes || []).includes(outcome.value))) return false;
    const rights = pair.judges.map((j) => (j.outcomes || []).includes("right"));
    if (agreement.value && !agreements[agreement.value](rights)) return false;
    const words = text.value.trim().toLowerCase();
    return !words || pair.id.toLowerCase().includes(words) || (pair.question || "").toLowerCase().includes(words);
  };

  const pages = () => Math.max(1, Math.ceil(chosen.length / PAGE));

  const show = (note = "") => {
    near.disconnect();
    const first = page * PAGE;
    const last = Math.min(first + PAGE, chosen.length);
    list.replaceChildren();
    for (let place = first; place < last; place += 1) list.append(card(place));
    const total = data.pairs.length.toLocaleString("en");
    const found = chosen.length
      ? `Pairs ${first + 1} to ${last} of ${chosen.length.toLocaleString("en")}${chosen.length < data.pairs.length ? ` chosen, ${total} in all` : ""}.`
      : `No pair fits these filters; there are ${total} in all.`;
    status.textContent = note ? `${note} ${found}` : found;
    for (const pager of pagers) {
      const [back, label, on] = pager.children;
      back.setAttribute("aria-disabled", String(page === 0));
      on.setAttribute("aria-disabled", String(page >= pages() - 1));
      label.textContent = `page ${page + 1} of ${pages()}`;
    }
  };

  const choose = () => {
    chosen = [];
    data.pairs.forEach((pair, place) => { if (fits(pair)) chosen.push(place); });
    page = 0;
    current = -1;
  };

  const filter = (note = "") => { choose(); show(note); };

  const goTo = (place, note = "") => {
    const wanted = Math.floor(place / PAGE);
    if (note || wanted !== page) { page = wanted; show(note); }
    const article = list.children[place - page * PAGE];
    if (!article) return;
    article.focus({ preventScroll: true });
    article.scrollIntoView({ block: "start" });
    current = place;
  };

  const turn = (by) => {
    if (page + by < 0 || page + by >= pages()) return;
    goTo((page + by) * PAGE);
  };

  const move = (by) => {
    if (!chosen.length) return;
    const place = current < 0 ? page * PAGE : current + by;
    if (place < 0 || place >= chosen.length) return;
    goTo(place);
    history.replaceState(null, "", link(data.pairs[chosen[place]]));
  };

  // ---- a link to each pair

  const open = () => {
    if (!location.hash.startsWith("#pair-")) return;
    let id = location.hash.slice(6);
    try { id = decodeURIComponent(id); } catch { /* not one of our links: taken as it is */ }
    const place = byId.get(id);
    if (place === undefined) { status.textContent = `There is no pair ${visible(id)} in this report.`; return; }
    const hidden = !chosen.includes(place);
    if (hidden) { form.reset(); choose(); }
    goTo(chosen.indexOf(place), hidden ? `Filters were cleared to show ${visible(id)}.` : "");
  };

  // ---- events

  form.addEventListener("input", () => filter());
  at("filter-clear").addEventListener("click", () => { form.reset(); filter("Filters were cleared."); });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const pager of pagers) {
    pager.firstElementChild.addEventListener("click", () => turn(-1));
    pager.lastElementChild.addEventListener("click", () => turn(1));
  }
  window.addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest("a[href^='#pair-']");
    if (anchor && anchor.getAttribute("href") === location.hash) open(); // the same link again
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !at("keys-on").checked) return;
    if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
    const onCard = event.target.classList.contains("pair");
    if (event.key === "j" || (onCard && event.key === "ArrowRight")) move(1);
    else if (event.key === "k" || (onCard && event.key === "ArrowLeft")) move(-1);
    else return;
    event.preventDefault();
  });

  at("gallery-tools").hidden = false;
  filter();
  open();
})();
