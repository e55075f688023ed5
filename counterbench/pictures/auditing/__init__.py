"""Relations between answers about a model's own pictures: how many are wrong at least, without one label.

things           the truth of a claim (`prompts.claims`) on things whose kinds, colours and places are known
edits            the pictures of further questions, and the things in them
relations        metamorphic relations: answers that cannot all be right, whatever the picture shows
repair           the least number of answers that must be wrong
bound            the share of wrong answers that groups of them prove
groups           the pictures and questions that are audited, drawn before anything is known
drawn            the trial of each relation: drawn scenes on which a judge shows that it can answer its questions at all
audit_questions  the questions of an audit's runs
audit            one call of `t2i audit`
result           the result of an audit, as a document
denials          the trial of negated questions on drawn pictures
"""
