"""Certificates: the laws that a judge was shown to see and may score, and checks that a certificate still holds.

policies            the conditions for admitting a judge
cells               verdicts on cells, laws and picture kinds from counts, and the pairs that would decide them
sequential          asks those pairs, until all is decided
findings, issue     from a run and a policy to a certificate, and its checks; one judge's in several styles
document            the certificate, and its file

`diagnosis/` names a judge's faults; `t2i/judging/admission` asks for a certificate.
"""
