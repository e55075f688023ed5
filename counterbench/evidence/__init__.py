"""Evidence of what a judge sees, and of what it may score.

policies            the conditions for admitting a judge
cells               verdicts on cells, laws and picture kinds from counts
interim             the same while a judge is asked: the pairs to ask next
sequential          asks those pairs, until all is decided
findings            from the pairs of a run and a policy to verdicts
issue               from these to a certificate, and its checks; one judge's certificates in several styles
treatments          the changes of a picture under which it must still be right
document            the certificate, and its file
shown               the evidence in a certificate, by law or skill
ladders             up to which level of difficulty (rung) a judge sees, and its result
rungs               the rungs that questions need
stickers            the test of a judge by stickers on a user's pictures
validation          the job of `validate`: pairs for prompts, pictures or a suite, until all is decided
swap, watch         is a new judge as good as the old one, and one judge still the same?
looks               the result of `watch`
options             the options of `validate`, `swap` and `watch`
prompt_checks       the checks of a prompt set that a certificate tested, and those that are scored
admission           what a judge may score, by its certificate
verdict             the words that stand first in a result

`diagnosis/` names a judge's faults; `pictures/` has it answer about models' pictures.
"""
