"""Text-to-image models: prompt sets with checks, generators, protocols, and the gate that a tested judge passes."""
