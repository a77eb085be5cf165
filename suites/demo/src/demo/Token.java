package demo;

/** A piece of source text: what kind it is, its characters, the line it stands on. */
record Token(Kind kind, String text, int line) {
  enum Kind {
    NUMBER,
    TEXT,
    NAME,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return (kind == Kind.SYMBOL || kind == Kind.NAME) && text.equals(symbol);
  }
}
