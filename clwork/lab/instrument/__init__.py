"""The instrument: a page that shows runs and steers one."""
