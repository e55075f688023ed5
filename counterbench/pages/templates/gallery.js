"use strict";
// What galleries share: pages, filters, keys and links. Everything that comes from data enters the page as text, never
// as markup. `start` shows the cards of one.
const gallery = (() => {
  const LONG = 240; // characters of a reply that are shown before it is folded
  const data = JSON.parse(document.getElementById("gallery-data").textContent);
  const at = (id) => document.getElementById(id);

  // ---- elements

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // Characters that nobody would see, or that would turn the text around, are written as their code points.
  const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u180b-\u180d\u180f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
  const visible = (text) =>
    text.replace(/\r\n/g, "\n").replace(HIDDEN, (hidden) => `⟨U+${hidden.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

  const replyText = (text) => {
    const shown = visible(text);
    if (shown.length <= LONG) return make("span", { class: "said", dir: "auto" }, shown === "" ? "(empty)" : shown);
    const summary = make("summary", {}, make("span", { class: "said", dir: "auto" }, `${shown.slice(0, LONG)} …`));
    return make("details", {}, summary, make("span", { class: "said", dir: "auto" }, shown));
  };

  // ---- pictures: only those near the window get a source

  const sources = new WeakMap();
  const load = (image) => { if (!image.hasAttribute("src")) image.src = sources.get(image); };
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) { load(entry.target); near.unobserve(entry.target); }
    }
  }, { rootMargin: "300px 0px" });
  window.addEventListener("beforeprint", () => document.querySelectorAll("img").forEach(load));

  const picture = (source, attributes) => {
    const image = make("img", { decoding: "async", ...attributes });
    sources.set(image, data.base + source);
    near.observe(image);
    return image;
  };

  // A gallery of `items`, each with an id: `card` makes the element of one, `fits` says whether the filters leave it.
  // `noun` is what one is called: in what is said, in links, and (in the plural) the id of the list. `page`: how many
  // are in the document at a time.
  const start = ({ noun, items, page: PAGE, fits, card: content }) => {
    const byId = new Map(items.map((item, place) => [item.id, place]));
    const list = at(`${noun}s`);
    const status = at("gallery-status");
    const form = at("filters");
    const pagers = [...document.querySelectorAll(".pager")];
    const Noun = noun[0].toUpperCase() + noun.slice(1);
    const anchor = `#${noun}-`;
    let chosen = []; // places in `items` of those that the filters leave
    let page = 0;
    let current = -1; // place in `chosen` of the one that the keys moved to last

    const link = (item) => `${anchor}${encodeURIComponent(item.id)}`;

    const card = (place) => {
      const item = items[chosen[place]];
      const { notes, body } = content(item);
      const head = make("header", {}, make("h3", {}, make("a", { href: link(item) }, visible(item.id))),
        ...notes.map((note) => make("span", { class: "note" }, note)));
      const article = make("article", { class: "card", tabindex: "-1", "aria-label": `${Noun} ${visible(item.id)}` }, head, ...body);
      article.dataset.place = place;
      article.addEventListener("focusin", () => { current = place; });
      return article;
    };

    const pages = () => Math.max(1, Math.ceil(chosen.length / PAGE));

    const show = (note = "") => {
      near.disconnect();
      const first = page * PAGE;
      const last = Math.min(first + PAGE, chosen.length);
      list.replaceChildren();
      for (let place = first; place < last; place += 1) list.append(card(place));
      const total = items.length.toLocaleString("en");
      const found = chosen.length
        ? `${Noun}s ${first + 1} to ${last} of ${chosen.length.toLocaleString("en")}${chosen.length < items.length ? ` chosen, ${total} in all` : ""}.`
        : `No ${noun} fits these filters; there are ${total} in all.`;
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
      items.forEach((pair, place) => { if (fits(pair)) chosen.push(place); });
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
      history.replaceState(null, "", link(items[chosen[place]]));
    };

    const clear = () => { for (const field of form.querySelectorAll("select, input")) field.value = ""; };

    // ---- a link to each

    const open = () => {
      if (!location.hash.startsWith(anchor)) return;
      let id = location.hash.slice(anchor.length);
      try { id = decodeURIComponent(id); } catch { /* not one of our links: taken as it is */ }
      const place = byId.get(id);
      if (place === undefined) { status.textContent = `There is no ${noun} ${visible(id)} in this report.`; return; }
      const hidden = !chosen.includes(place);
      if (hidden) { clear(); choose(); }
      goTo(chosen.indexOf(place), hidden ? `Filters were cleared to show ${visible(id)}.` : "");
    };

    // ---- events

    form.addEventListener("input", () => filter());
    at("filter-clear").addEventListener("click", () => { clear(); filter("Filters were cleared."); });
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const pager of pagers) {
      pager.firstElementChild.addEventListener("click", () => turn(-1));
      pager.lastElementChild.addEventListener("click", () => turn(1));
    }
    window.addEventListener("hashchange", open);
    document.addEventListener("click", (event) => {
      const found = event.target.closest(`a[href^='${anchor}']`);
      if (found && found.getAttribute("href") === location.hash) open(); // the same link again
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !at("keys-on").checked) return;
      if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
      const onCard = event.target.classList.contains("card");
      if (event.key === "j" || (onCard && event.key === "ArrowRight")) move(1);
      else if (event.key === "k" || (onCard && event.key === "ArrowLeft")) move(-1);
      else return;
      event.preventDefault();
    });

    at("gallery-tools").hidden = false;
    filter();
    open();
  };

  return { at, data, make, picture, replyText, start, visible };
})();
