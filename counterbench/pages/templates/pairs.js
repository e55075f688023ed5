// The gallery of pairs.
(() => {
  const { at, data, make, picture, replyText, start, visible } = gallery;
  const fields = { family: at("filter-family"), outcome: at("filter-outcome"), judge: at("filter-judge"),
    agreement: at("filter-agreement"), text: at("filter-text") };

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
    return make("td", { role: "cell", "data-side": side }, ...raw.map(replyText), reading(reply, raw));
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

  const side = (pair, n) => {
    const name = ["original", "intervened"][n];
    const shown = pair.pictures
      ? picture(pair.pictures[n], { alt: `${name} picture of ${visible(pair.id)}`, width: data.width, height: data.height })
      : make("div", { class: "blank" }, "no picture");
    const truth = make("strong", {}, visible(pair.truth[n]));
    return make("figure", {}, shown, make("figcaption", {}, `${name}, truth: `, truth));
  };

  const card = (pair) => {
    const about = [pair.family, pair.skill, pair.form, pair.change].filter(Boolean).map(visible).join(" · ");
    const question = make("p", { class: "question" }, visible(pair.question || "(the question's words are not at hand)"));
    const body = make("div", { class: "body" }, make("div", { class: "sides" }, side(pair, 0), side(pair, 1)), replies(pair));
    return { notes: [about, pair.relevant ? "" : "control: the truth stays"], body: [question, body] };
  };

  const agreements = {
    differ: (rights) => rights.some(Boolean) && !rights.every(Boolean),
    none: (rights) => !rights.some(Boolean),
    all: (rights) => rights.every(Boolean),
  };

  const fits = (pair) => {
    const { family, outcome, judge, agreement, text } = fields;
    if (family.value && visible(pair.family) !== family.value) return false;
    const judges = judge.value === "" ? pair.judges : [pair.judges[Number(judge.value)]];
    if (outcome.value && !judges.some((j) => (j.outcomes || []).includes(outcome.value))) return false;
    const rights = pair.judges.map((j) => (j.outcomes || []).includes("right"));
    if (agreement.value && !agreements[agreement.value](rights)) return false;
    const words = text.value.trim().toLowerCase();
    return !words || pair.id.toLowerCase().includes(words) || (pair.question || "").toLowerCase().includes(words);
  };

  start({ noun: "pair", items: data.pairs, page: 20, fits, card });
})();
