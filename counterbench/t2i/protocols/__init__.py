"""One module a protocol: how judged checks of generated pictures become its numbers. What all share is in `scores/`."""

# What may stand after --protocol, and what it scores.
PROTOCOLS: dict[str, str] = {
    "cf-eval": "CF-World: integrity, assessment point and logic consistency, weighted; the gate, PRR and RRR",
}
