"""Bad input, one table for each room: each entry is our own error with cause, value and remedy, or a stated result."""
