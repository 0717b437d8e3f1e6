"""What engines under test say that would run, if a page took it for markup."""

SCRIPT = "<script>document.title='ran'</script>"
BREAKOUT = "\"'></pre></details></title></style><svg onload=document.title='ran'>"
