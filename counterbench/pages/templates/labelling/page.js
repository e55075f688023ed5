"use strict";
// One question at a time. An answer is on the server's disk before the next question shows; until then it is sent again.
(() => {
  const at = document.body.dataset.at;
  const [count, undo, bar, task, pictures, words, answers, end, trouble] =
    ["count", "undo", "bar", "task", "pictures", "words", "answers", "end", "trouble"].map((id) => document.getElementById(id));
  const loaded = new Map(); // images by address, of this question and the next
  let busy = true; // nothing can be answered now
  let question = null;
  let last = null; // the id of the question that was answered last

  const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

  function say(text) {
    trouble.textContent = text;
    trouble.hidden = !text;
  }

  async function ask(path, sent) {
    for (;;) {
      let reply = null;
      try {
        reply = await fetch(at + path, sent === undefined ? {} : {
          method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent),
        });
        if (reply.ok) {
          const state = await reply.json();
          say("");
          return state;
        }
      } catch {
        reply = null;
      }
      if (reply && reply.status < 500) {
        say(reply.status === 403 ? "Open the address that the command printed again." : await reply.text());
        return null;
      }
      const kept = sent === undefined ? "Trying again …" : "Your answer is kept here and sent again …";
      say(`${reply ? "The answer could not be written." : "The server does not answer."} ${kept}`);
      await wait(1);
    }
  }

  // The image, once it is decoded; null if it cannot be read.
  function image(id) {
    const source = `/picture/${id}`;
    if (!loaded.has(source)) {
      loaded.set(source, (async () => {
        for (;;) {
          const img = new Image();
          img.alt = "";
          img.src = source;
          try {
            await img.decode();
            return img;
          } catch {
            const reply = await fetch(source).catch(() => null);
            if (reply && !reply.ok && reply.status < 500) return null;
            await wait(1); // the server is away
          }
        }
      })());
    }
    return loaded.get(source);
  }

  function fill(id, text) {
    const place = document.getElementById(id);
    place.textContent = text;
    place.hidden = !text;
  }

  function make(tag, fields, ...inside) {
    const element = Object.assign(document.createElement(tag), fields);
    element.append(...inside);
    return element;
  }

  function choices(form, was) {
    const named = { " ": "space", ArrowLeft: "←", ArrowRight: "→" };
    const field = form.field ? [
      make("input", { type: "text", inputMode: form.field === "number" ? "decimal" : "text", placeholder: form.hint, value: was === "?" ? "" : was }),
      make("button", { type: "submit" }, "OK ", make("kbd", { ariaHidden: "true" }, "enter")),
    ] : [];
    if (field.length) field[0].setAttribute("aria-labelledby", "question");
    answers.replaceChildren(...field, ...form.buttons.map(([label, text, key]) => {
      const button = make("button", { type: "button", className: was === label ? "was" : "", onclick: () => answer(label) }, `${text} `);
      if (key && key !== text) button.append(make("kbd", { ariaHidden: "true" }, named[key] ?? key));
      button.dataset.label = label;
      return button;
    }));
  }

  async function show(state) {
    if (!state) {
      busy = question === null;
      return;
    }
    question = state.question;
    count.textContent = `${state.done} of ${state.total} answered`;
    bar.max = state.total;
    bar.value = state.done;
    undo.disabled = !state.last;
    last = state.last;
    task.hidden = question === null;
    end.hidden = question !== null;
    if (question === null) {
      busy = false;
      end.focus();
      return;
    }
    fill("prompt", question.prompt && `Prompt: ${question.prompt}`);
    fill("question", question.text);
    fill("criteria", question.criteria);
    fill("note", state.was && `Your answer was: ${question.form.buttons.find(([label]) => label === state.was)?.[1] ?? state.was}`);
    choices(question.form, state.was);
    const buttons = [...answers.elements];
    buttons.forEach((button) => { button.disabled = true; });
    const two = question.pictures.length > 1;
    pictures.classList.toggle("two", two);
    pictures.replaceChildren();
    const images = await Promise.all(question.pictures.map(image));
    pictures.replaceChildren(...images.map((img, n) => make("figure", {},
      img ?? make("p", { className: "broken" }, "This picture cannot be read. Choose “Cannot tell”."),
      ...(two ? [make("figcaption", {}, question.form.buttons[n][1].split(" ")[0])] : []))));
    const broken = images.includes(null);
    // Where two models' pictures are compared, "cannot tell" is for pictures that cannot be read, and has no key.
    const brokenOnly = two && question.form.buttons.some(([label, , key]) => label === "?" && !key);
    for (const button of buttons) {
      button.disabled = broken && button.dataset.label !== "?";
      button.hidden = brokenOnly && !broken && button.dataset.label === "?";
    }
    const wanted = new Set([...question.pictures, ...state.then].map((id) => `/picture/${id}`));
    [...loaded.keys()].filter((source) => !wanted.has(source)).forEach((source) => loaded.delete(source));
    state.then.forEach(image);
    busy = false;
    words.scrollTop = 0;
    const field = answers.querySelector("input");
    (field && !broken && matchMedia("(hover: hover)").matches ? field : words).focus({ preventScroll: true });
  }

  async function send(path, sent) {
    if (busy) return;
    busy = true;
    await show(await ask(path, sent));
  }

  const answer = (label) => send("/answer", { id: question.id, label });
  const takeBack = () => last && send("/undo", { id: last });

  undo.addEventListener("click", takeBack);
  answers.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = answers.querySelector("input")?.value.trim();
    if (text) answer(text);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
    const inside = document.activeElement;
    const writes = inside.tagName === "INPUT";
    if (writes && (question.form.field === "words" || !["u", " "].includes(event.key))) return;
    if (inside.tagName === "BUTTON" && event.key === " ") return; // it is pressed
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const chosen = question && question.form.buttons.find(([, , ...keys]) => keys.includes(key));
    const button = chosen && [...answers.elements].find((element) => element.dataset.label === chosen[0]);
    if (key !== "u" && !chosen) return;
    event.preventDefault();
    if (key === "u") takeBack();
    else if (!button.disabled && !button.hidden) answer(chosen[0]);
  });
  ask("/next").then(show);
})();
