"""Evidence of what a judge sees, and of what it may score.

policies            the conditions for admitting a judge
cells               verdicts on cells, laws and picture kinds from counts, and the pairs that would decide them
sequential          asks those pairs, until all is decided
findings, issue     from a run and a policy to a certificate, and its checks; one judge's in several styles
treatments          the changes of a picture under which it must still be right
document            the certificate, and its file; shown: what it shows, by law or skill
ladders, stickers  how far it sees on ladders (rungs: what questions need of them); stickers on a user's pictures
validation          the job of `validate`: pairs for prompts, pictures or a suite, until all is decided; options
admission           the checks that a judge may answer, by its certificate; verdict: the words that stand first

`diagnosis/` names a judge's faults; `pictures/` has it answer about models' pictures.
"""
