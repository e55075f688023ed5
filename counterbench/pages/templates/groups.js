// The gallery of models' pictures: groups of prompts, their levels below one another, pictures side by side.
(() => {
  const { at, data, make, picture, replyText, start, visible } = gallery;
  const fields = Object.fromEntries(["level", "run", "outcome", "shows", "skill", "people", "text"]
    .map((name) => [name, at(`filter-${name}`)]));
  const chosen = (name) => (fields[name] ? fields[name].value : "");

  // ---- what the filters leave

  const kind = (answer) => answer.mark || "right";

  const outcomes = (answers) => {
    const kinds = answers.map(kind).filter((name) => name !== "noted");
    return {
      failure: kinds.some((name) => name !== "right"),
      right: kinds.length > 0 && kinds.every((name) => name === "right"),
      ...Object.fromEntries(["wrong", "partly", "lost"].map((name) => [name, kinds.includes(name)])),
    };
  };

  const checksOf = (level) => level.checks.map((check, n) => [check, n])
    .filter(([check]) => !chosen("skill") || visible(check.skill || "") === chosen("skill"));

  const sampleFits = (level, sample) => {
    if (chosen("run") && sample.run !== Number(chosen("run"))) return false;
    if (chosen("shows") && sample.shows !== chosen("shows")) return false;
    const answers = checksOf(level).map(([, n]) => sample.answers[n]).filter(Boolean);
    const outcome = chosen("outcome");
    const found = chosen("skill") && answers.length ? outcomes(answers)[outcome] : (sample.outcomes || []).includes(outcome);
    if (outcome && !found) return false;
    if (chosen("people") === "disagree") return answers.some((a) => a.differs);
    if (chosen("people") === "split") return answers.some((a) => a.split);
    return chosen("people") !== "labelled" || answers.some((a) => a.person !== undefined);
  };

  const levelFits = (level) => {
    if (chosen("level") && visible(level.level) !== chosen("level")) return false;
    return (!chosen("skill") || checksOf(level).length > 0) && level.samples.some((sample) => sampleFits(level, sample));
  };

  const fits = (group) => {
    const words = chosen("text").trim().toLowerCase();
    const texts = () => [group.id, ...group.about, ...group.levels.map((level) => level.prompt)];
    return group.levels.some(levelFits) && (!words || texts().some((text) => text.toLowerCase().includes(words)));
  };

  // ---- a level: pictures in columns, a row for each check

  const cell = (role, name, ...children) => make("div", { role, class: name }, ...children);

  const shownPicture = (place, alt, why) => {
    const source = place === undefined ? "" : data.pictures[place];
    return source ? picture(source, { alt, width: 256, height: 256 }) : make("div", { class: "blank" }, why);
  };

  const head = (name, image, ...caption) => cell("columnheader", name, image, make("span", { class: "caption" }, ...caption));

  const note = (text, name = "note") => make("span", { class: name }, text);

  // A name breaks after its punctuation where a column is narrow.
  const broken = (text) => text.split(/(?<=[:/?&=.-])/).flatMap((part, n) => (n ? [make("wbr"), part] : [part]));

  const sampleHead = (group, level, sample, several, narrowed) => {
    const status = sample.status || "ok";
    const hasPicture = status === "ok" || status === "blank";
    const id = `${group.id}/${level.level}/${sample.sample}`;
    const model = visible(data.runs[sample.run]);
    const why = hasPicture ? "no picture" : `${status}${sample.message ? `: ${visible(sample.message)}` : ""}`;
    const notes = [make("span", { class: "model" }, ...(several ? broken(model) : [`sample ${sample.sample}`]))];
    if (several && level.several) notes.push(note(`sample ${sample.sample}`));
    const parts = Object.entries(sample.parts || {}).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    if (typeof sample.score === "number") notes.push(note([`score ${sample.score.toFixed(2)}`, ...parts].join(" · ")));
    if (status === "blank") notes.push(note("blank", "reading wrong"));
    if (sample.shows) notes.push(note(data.shows[sample.shows], sample.shows === "asked" ? "note" : "reading wrong"));
    const name = narrowed && sampleFits(level, sample) ? "head fits" : "head";
    return head(name, shownPicture(sample.picture, `${model}, ${visible(id)}`, why), ...notes);
  };

  const MARKS = { right: "✓ ", wrong: "✗ ", partly: "◐ ", lost: "○ ", noted: "" };

  // What a person said, as labels have it: the answer to a yes/no question, else the credit.
  const OTHER = { yes: "no", no: "yes" };
  const expected = (check) => check.expected ?? "yes"; // defaults are not in the data
  const person = (check, credit) => (OTHER[expected(check)] ? (credit === 1 ? expected(check) : OTHER[expected(check)]) : credit);

  const answerCell = (check, answer) => {
    if (!answer) return cell("cell", "answer", note("–"));
    const name = kind(answer);
    const text = name === "lost" ? (answer.outcome || "answer") : visible(answer.answer || "");
    const parts = [note(`${MARKS[name]}${text}`, `reading ${name}`)];
    if (name === "right" && answer.credit < 1) parts.push(note(`confidence ${Number(answer.credit.toFixed(2))}`));
    if (answer.p_yes !== undefined) parts.push(note(`probability of yes ${answer.p_yes.toFixed(2)}`));
    if (answer.denied) parts.push(note(`also ${text} when asked whether it is false`, "reading lost"));
    if (answer.person !== undefined) {
      parts.push(note(`person: ${person(check, answer.person)}${answer.differs ? ", disagrees" : ""}`, answer.differs ? "reading lost" : "note"));
    }
    if (answer.said) parts.push(make("details", {}, make("summary", {}, "reply"), ...answer.said.map(replyText)));
    return cell("cell", "answer", ...parts);
  };

  const question = (check, weighted) => {
    const about = [check.id, check.dimension, check.skill, weighted && `weight ${Number((check.weight ?? 1).toFixed(2))}`].filter(Boolean).map(visible);
    const criteria = check.criteria ? [make("details", {}, make("summary", {}, "criteria"), note(visible(check.criteria)))] : [];
    return cell("rowheader", "asked", note(visible(check.text), "text"), note([...new Set(about)].join(" · ")), ...criteria);
  };

  const table = (group, level, narrowed) => {
    const several = data.runs.length > 1;
    const samples = level.samples.filter((sample) => !chosen("run") || sample.run === Number(chosen("run")));
    const weighted = new Set(level.checks.map((check) => check.weight ?? 1)).size > 1;
    const known = (place, what, bare) => (place === undefined || !data.pictures[place]
      ? cell("columnheader", "corner", bare)
      : head("head known", shownPicture(place, `${what}: ${visible(group.id)}/${visible(level.level)}`), note(what, "model")));
    const heads = [cell("columnheader", "corner", "check"), known(level.right, "a right picture", "right answer")];
    if (level.prior !== undefined) heads.push(known(level.prior, "prior would draw", "prior's answer"));
    heads.push(...samples.map((sample) => sampleHead(group, level, sample, several, narrowed)));
    const rows = checksOf(level).map(([check, n]) => {
      const answers = [cell("cell", "answer known", visible(expected(check) || "–"))];
      if (level.prior !== undefined) answers.push(cell("cell", "answer known", visible((level.answers || {})[check.id] || "–")));
      return cell("row", "row", question(check, weighted), ...answers, ...samples.map((sample) => answerCell(check, sample.answers[n])));
    });
    const grid = make("div", { class: "checks scroll", role: "table", tabindex: "0", "aria-label": `Checks of ${visible(group.id)} at ${visible(level.level)}` },
      cell("row", "row", ...heads), ...rows);
    grid.style.setProperty("--columns", heads.length - 2);
    grid.style.setProperty("--first", heads[1].classList.contains("known") ? "var(--side)" : "6.5rem");
    return grid;
  };

  const card = (group) => {
    const narrowed = ["outcome", "shows", "skill", "people"].some(chosen);
    const levels = group.levels.filter(levelFits);
    const body = (levels.length ? levels : group.levels).map((level) => {
      const head = data.levels > 1 ? [make("h4", {}, visible(level.level))] : [];
      return make("section", { class: "level" }, ...head, make("p", { class: "prompt" }, visible(level.prompt)), table(group, level, narrowed));
    });
    return { notes: [group.about.map(visible).join(" · ")], body };
  };

  data.levels = Math.max(...data.groups.map((group) => group.levels.length));
  for (const level of data.groups.flatMap((group) => group.levels)) level.several = level.samples.some((sample) => sample.sample > 0);
  start({ noun: "group", items: data.groups, page: data.page, fits, card });
})();
