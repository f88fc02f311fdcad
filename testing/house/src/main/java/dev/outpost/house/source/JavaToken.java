package dev.outpost.house.source;

/**
 * A piece of a source; white space is not a token.
 *
 * @param start the offset of its first character
 * @param end the offset after its last character
 */
public record JavaToken(Kind kind, int start, int end) {
    /** Keywords are names, too. */
    public enum Kind {
        NAME,
        NUMBER,
        TEXT,
        COMMENT,
        SIGN
    }

    /** Returns its characters. */
    public String in(String text) {
        return text.substring(start, end);
    }

    /** Returns true if this token is the given name. */
    public boolean isName(String text, String name) {
        return kind == Kind.NAME && end - start == name.length() && text.startsWith(name, start);
    }
}
