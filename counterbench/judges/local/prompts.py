"""A query as a checkpoint's chat template and processor want it: pictures first, then the words."""

from collections.abc import Sequence
from typing import Any

import msgspec
from PIL import Image

from counterbench.errors import JudgeError
from counterbench.runs.queries import Query

# The texts of the question and the system text with which a template is tried.
_WORDS, _SYSTEM_WORDS = "counterbench asks", "counterbench tells"


class Prompted(msgspec.Struct, frozen=True):
    """A query ready for the processor: its index in the batch, its prompt (template applied), its decoded pictures."""

    index: int
    query: Query
    prompt: str
    images: tuple[Image.Image, ...]

    @property
    def size(self) -> tuple[int, int, int]:
        """The sort key that puts queries of similar length together: pictures, their pixels, characters."""
        return len(self.images), sum(image.width * image.height for image in self.images), len(self.prompt)


class Prompts:
    """Writes prompts with a processor's chat template.

    JudgeError if it has none, or one that leaves out the question or the picture: such a model would get no question
    or no picture, and nobody would notice. A system text goes into its place in the template, else before the
    question.
    """

    def __init__(self, processor: Any, where: str) -> None:
        """Try the template on a plain question, with and without a picture and a system text.

        `where` names the judge in messages. JudgeError as in the class, or if the template fails on a question; one
        that refuses the system text is no error.
        """
        self._processor = processor
        tokenizer = processor.tokenizer
        self._template = getattr(processor, "chat_template", None) or getattr(tokenizer, "chat_template", None)
        if not self._template:
            raise JudgeError(f"{where}: the checkpoint has no chat template; use one tuned to follow instructions")
        try:
            text, picture = self._render([_message("user", _WORDS)]), self._render([_message("user", _WORDS, 1)])
        except Exception as error:  # a template is a program of somebody else's
            words = (str(error).strip() or type(error).__name__).splitlines()[0][:300]
            raise JudgeError(f"{where}: its chat template fails on a plain question: {words}") from error
        if not _shows_text(text, _WORDS) or not _shows_text(picture, _WORDS):
            raise JudgeError(f"{where}: its chat template leaves out the question's text")
        if text == picture:
            raise JudgeError(f"{where}: its chat template has no place for a picture; is this a model that sees?")
        try:
            rendered = self._render([_message("system", _SYSTEM_WORDS), _message("user", _WORDS, 1)])
        except Exception:  # templates refuse a role by raising
            rendered = ""
        self._takes_system = _shows_text(rendered, _SYSTEM_WORDS) and _shows_text(rendered, _WORDS)

    def text(self, query: Query) -> str:
        """The whole prompt, up to where the model's reply begins; a placeholder stands for each picture."""
        words, messages = query.text, []
        if query.system:
            if self._takes_system:
                messages.append(_message("system", query.system))
            else:
                words = f"{query.system}\n\n{words}"
        return self._render([*messages, _message("user", words, len(query.pictures))])

    def encode(self, prepared: Sequence[Prompted]) -> Any:
        """The processor's tensors for queries with equally many pictures, padded on the left: a BatchFeature.

        ValueError if the processor pads on the right.
        """
        bos = self._processor.tokenizer.bos_token
        encoded = self._processor(
            text=[query.prompt for query in prepared],
            images=[list(query.images) for query in prepared] if prepared[0].images else None,
            padding=True,
            return_tensors="pt",
            add_special_tokens=not (bos and prepared[0].prompt.startswith(bos)),  # the template has written it
        )
        if not encoded["attention_mask"][:, -1].all():
            raise ValueError("the processor pads on the right, so a batch of different lengths cannot be asked")
        return encoded

    def _render(self, messages: list[dict[str, Any]]) -> str:
        """The text that the chat template makes of messages, up to where the reply begins."""
        rendered = self._processor.apply_chat_template(
            messages, chat_template=self._template, tokenize=False, add_generation_prompt=True
        )
        return str(rendered)


def _message(role: str, text: str, pictures: int = 0) -> dict[str, Any]:
    """A chat message of a number of placeholders for pictures, and then a text."""
    content: list[dict[str, str]] = [{"type": "image"} for _ in range(pictures)]
    return {"role": role, "content": [*content, {"type": "text", "text": text}]}


def _shows_text(rendered: str, text: str) -> bool:
    """True if a rendered template has `text` as plain words."""
    # A template that wants plain text prints the list of parts as Python does.
    return text in rendered and "'type'" not in rendered
