"""What changed from one run to another, or from one suite to another: values, trees, budgets.

two runs ── pairs ──▶ measuring ── names, matched_values ──▶ changes
    changes ┬─ condition, condition_results ──▶ holds?
            ├─ budgets ──▶ kept?
            └─ outcome, page ──▶ blocks
two runs ── pairs ──▶ tree ── folding ──▶ the differential tree
"""
