package dev.outpost.house.source;

import java.util.ArrayList;
import java.util.List;

/** Splits Java into tokens. It keeps comments, which javac's parser drops, and their offsets. */
public final class JavaLexer {
    private static final String BLOCK = "\"\"\"";

    private final String text;
    private int position;

    private JavaLexer(String text, int from) {
        this.text = text;
        this.position = from;
    }

    /** Returns all tokens of a source. */
    public static List<JavaToken> tokens(String text) {
        JavaLexer lexer = new JavaLexer(text, 0);
        List<JavaToken> tokens = new ArrayList<>();
        for (JavaToken token = lexer.next(); token != null; token = lexer.next()) {
            tokens.add(token);
        }
        return tokens;
    }

    /** Returns the offset of the first such name between two offsets, or -1. Comments and texts do not count. */
    public static int find(String text, String name, int from, int end) {
        JavaLexer lexer = new JavaLexer(text, from);
        for (JavaToken token = lexer.next(); token != null && token.end() <= end; token = lexer.next()) {
            if (token.isName(text, name)) {
                return token.start();
            }
        }
        return -1;
    }

    /** Returns the next token, or null at the end. */
    private JavaToken next() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        if (position == text.length()) {
            return null;
        }
        int start = position;
        JavaToken.Kind kind = skip(text.charAt(position));
        return new JavaToken(kind, start, position);
    }

    private JavaToken.Kind skip(char first) {
        if (Character.isJavaIdentifierStart(first)) {
            skipName();
            return JavaToken.Kind.NAME;
        }
        if (Character.isDigit(first)) {
            skipNumber();
            return JavaToken.Kind.NUMBER;
        }
        if (first == '"' || first == '\'') {
            skipQuoted(text.startsWith(BLOCK, position) ? BLOCK : String.valueOf(first));
            return JavaToken.Kind.TEXT;
        }
        if (text.startsWith("//", position)) {
            skipTo("\n", 0);
            return JavaToken.Kind.COMMENT;
        }
        if (text.startsWith("/*", position)) {
            position += 2;
            skipTo("*/", 2);
            return JavaToken.Kind.COMMENT;
        }
        position++;
        return JavaToken.Kind.SIGN;
    }

    private void skipName() {
        while (position < text.length() && Character.isJavaIdentifierPart(text.charAt(position))) {
            position++;
        }
    }

    private void skipNumber() {
        while (position < text.length()
                && (Character.isJavaIdentifierPart(text.charAt(position)) || text.charAt(position) == '.')) {
            position++;
        }
    }

    private void skipQuoted(String quote) {
        position += quote.length();
        while (position < text.length() && !text.startsWith(quote, position)) {
            position += text.charAt(position) == '\\' ? 2 : 1;
        }
        position = Math.min(text.length(), position + quote.length());
    }

    private void skipTo(String mark, int length) {
        int found = text.indexOf(mark, position);
        position = found < 0 ? text.length() : found + length;
    }
}
