"""How judged checks of generated pictures become numbers: one module a protocol, and what they share."""

# What may stand after --protocol, and what it scores.
PROTOCOLS: dict[str, str] = {
    "cf-eval": "CF-World: integrity, assessment point and logic consistency, weighted; the gate, PRR and RRR",
}
