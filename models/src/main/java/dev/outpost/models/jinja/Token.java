package dev.outpost.models.jinja;

/**
 * A token of a template.
 *
 * @param kind the kind of token
 * @param text the characters; for a string literal, its value
 * @param line the line of the first character, from 1
 */
record Token(Kind kind, String text, int line) {
    enum Kind {
        /** Text outside of tags. */
        DATA,
        /** {@code {{}. */
        OUTPUT_BEGIN,
        OUTPUT_END,
        /** {@code {%}. */
        BLOCK_BEGIN,
        BLOCK_END,
        NAME,
        STRING,
        INTEGER,
        FLOAT,
        OPERATOR,
        END
    }

    boolean is(Kind wanted, String wantedText) {
        return kind == wanted && text.equals(wantedText);
    }
}
