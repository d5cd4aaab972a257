"""Background work: every worker is a doorbell for a SQL function, and the table ``work`` is the truth."""
