"""What changed from one run to another, or from one suite to another: values, trees, budgets.

two runs ── pairs ──▶ measuring ── names, matching ──▶ changes ┬─ condition, holding ─▶ holds?
                                                              ├─ budgets ─▶ kept?
                                                              └─ outcome, page ──▶ blocks
two runs ── pairs ──▶ tree ── folding ──▶ the differential tree
"""
