"""Replies that were paid for once: a run about other questions takes over those to questions that stay as they were.

After a check was mended or a prompt added, most questions are the same, word for word, about the same pictures. Each
set of questions has a run of its own all the same.
"""

from __future__ import annotations

from pathlib import Path

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, T2I_FILE, RunInfo
from counterbench.runs.journal import Journal, Record, identity_of, last_records
from counterbench.runs.wordings import Wording
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.judging.run import refuse_edited
from counterbench.t2i.protocols.asks import Said
from counterbench.t2i.protocols.replies import replies_in

_AT_ONCE = 1000


class Reuse:
    """The replies in the run `before` to what `questions` ask of the same judge, in the same words, as often.

    Following questions are among them, as far as what they follow from is. InputError if `before` is no run about
    pictures, or was changed since its judge was asked.
    """

    def __init__(self, questions: PictureQuestions, before: Path, judge: str, wording: Wording, votes: int) -> None:
        if not (before / T2I_FILE).is_file():
            raise InputError(f"{before}: not a run of t2i judge, which --reuse takes: it has no {T2I_FILE}")
        refuse_edited(before)
        self._questions, self._judge, self._wording, self._votes = questions, judge, wording, votes
        journal = before / JOURNAL_FILE
        records = last_records(journal).values() if journal.is_file() else ()
        self._known = {record.identity: record for record in records if record.final}
        self._replied = replies_in(before)
        self._ids: set[str] = set()
        found = True
        while found:  # each round of replies may lead to further questions
            questions.take_over(self.replied)
            new = {record.id for record in self._records()} - self._ids
            self._ids |= new
            found = bool(new)

    def replied(self, id: str) -> Said | None:
        """The reply that is taken over, to a question by its id."""
        return self._replied(id) if id in self._ids else None

    def write(self, run: Path) -> None:
        """Append the records to the journal of `run`, those that it has not."""
        path = run / JOURNAL_FILE
        there = last_records(path) if path.is_file() else {}
        records = [record for record in self._records() if record.identity not in there]
        with Journal(path) as file:
            for start in range(0, len(records), _AT_ONCE):
                file.append(records[start : start + _AT_ONCE])

    def __len__(self) -> int:
        return len(self._ids)

    def _records(self) -> list[Record]:
        found = []
        for query in self._questions.queries():
            asked = self._wording.dress(query).digest
            names = [
                identity_of(self._judge, self._wording.digest, query.id, asked, vote) for vote in range(self._votes)
            ]
            if all(name in self._known for name in names):
                found += [self._known[name] for name in names]
        return found


def holds_other_questions(run: Path, questions: PictureQuestions, judge: str, wording: Wording, votes: int) -> bool:
    """Whether a folder is a run of the same judge, asked in the same way, about other questions or pictures."""
    if not (run / RUN_FILE).is_file():
        return False
    there = formats.read_json(run / RUN_FILE, RunInfo)
    alike = (there.judge, there.wording_digest, there.votes) == (judge, wording.digest, votes)
    same = there.suite_digest == questions.digest or questions.kin(there.suite_digest, there.queries // there.votes)
    return alike and not same
