"""What a query may use: time, memory, depth, processors; and how it is ended when it used it up."""
