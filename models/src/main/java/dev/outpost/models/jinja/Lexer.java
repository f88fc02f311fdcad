package dev.outpost.models.jinja;

import dev.outpost.models.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a template into tokens. Whitespace is treated like in transformers: a newline after a block is removed ({@code
 * trim_blocks}), and so are blanks before a block that begins a line ({@code lstrip_blocks}).
 */
final class Lexer {
    private static final String[] LONG_OPERATORS = {"==", "!=", "<=", ">=", "//", "**"};
    private static final String OPERATORS = "+-*/%~<>=()[]{}.,:|";

    private static final Pattern NUMBER = Pattern.compile("\\d[\\d_]*(\\.\\d+)?([eE][-+]?\\d+)?");
    private static final Pattern END_OF_RAW = Pattern.compile("\\{%([-+]?)\\s*endraw\\s*([-+]?)%}");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    /** True if the next character begins a line. */
    private boolean isAtLineStart = true;
    /** True if the last tag ended with a minus, so that the following whitespace is removed. */
    private boolean stripsNext;

    private Lexer(String text) {
        String unix = text.replace("\r\n", "\n").replace('\r', '\n');
        this.text = unix.endsWith("\n") ? unix.substring(0, unix.length() - 1) : unix;
    }

    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        while (lexer.at < lexer.text.length()) {
            lexer.dataAndTag();
        }
        lexer.add(Kind.END, "");
        return lexer.tokens;
    }

    private void add(Kind kind, String content) {
        tokens.add(new Token(kind, content, line));
    }

    private void dataAndTag() {
        int tag = nextTag(at);
        boolean isLast = tag == text.length();
        data(text.substring(at, tag), isLast ? ' ' : text.charAt(tag + 1), isLast ? "" : sign(tag + 2));
        if (isLast) {
            at = tag;
            return;
        }
        skip(tag - at);
        switch (text.charAt(tag + 1)) {
            case '#' -> comment();
            case '{' -> tag(Kind.OUTPUT_BEGIN, Kind.OUTPUT_END, "}}");
            default -> block();
        }
    }

    private int nextTag(int from) {
        for (int brace = text.indexOf('{', from); brace >= 0; brace = text.indexOf('{', brace + 1)) {
            if (brace + 1 < text.length() && "{%#".indexOf(text.charAt(brace + 1)) >= 0) {
                return brace;
            }
        }
        return text.length();
    }

    private String sign(int place) {
        boolean isSign = place < text.length() && "+-".indexOf(text.charAt(place)) >= 0;
        return isSign ? text.substring(place, place + 1) : "";
    }

    private void data(String all, char tag, String sign) {
        String data = stripsNext ? all.stripLeading() : all;
        if (sign.equals("-")) {
            data = data.stripTrailing();
        } else if ((tag == '%' || tag == '#') && !sign.equals("+")) {
            data = withoutIndent(data, all);
        }
        if (!data.isEmpty()) {
            add(Kind.DATA, data);
        }
        stripsNext = false;
    }

    private String withoutIndent(String data, String all) {
        int begin = data.lastIndexOf('\n') + 1;
        boolean beginsLine = all.lastIndexOf('\n') >= 0 || isAtLineStart;
        return beginsLine && data.substring(begin).isBlank() ? data.substring(0, begin) : data;
    }

    private void skip(int characters) {
        for (int end = at + characters; at < end; at++) {
            if (text.charAt(at) == '\n') {
                line++;
            }
        }
    }

    private void comment() {
        int end = text.indexOf("#}", at + 2);
        if (end < 0) {
            throw JinjaException.at(line, "a comment has no end");
        }
        boolean strips = text.charAt(end - 1) == '-';
        skip(end + 2 - at);
        endOfTag(strips, true);
    }

    /** Ends a tag. A newline after a block belongs to the block. */
    private void endOfTag(boolean strips, boolean trimsNewline) {
        stripsNext = strips;
        isAtLineStart = false;
        if (!strips && trimsNewline && at < text.length() && text.charAt(at) == '\n') {
            skip(1);
            isAtLineStart = true;
        }
    }

    private void block() {
        int name = at + 2 + sign(at + 2).length();
        while (name < text.length() && Character.isWhitespace(text.charAt(name))) {
            name++;
        }
        if (text.startsWith("raw", name)
                && text.substring(name + 3).stripLeading().matches("(?s)[-+]?%}.*")) {
            raw();
        } else {
            tag(Kind.BLOCK_BEGIN, Kind.BLOCK_END, "%}");
        }
    }

    private void raw() {
        int begin = text.indexOf("%}", at) + 2;
        boolean strips = text.charAt(begin - 3) == '-';
        Matcher end = END_OF_RAW.matcher(text);
        if (!end.find(begin)) {
            throw JinjaException.at(line, "raw has no endraw");
        }
        skip(begin - at);
        endOfTag(strips, true);
        data(text.substring(at, end.start()), '%', end.group(1));
        skip(end.end() - at);
        endOfTag(end.group(2).equals("-"), !end.group(2).equals("+"));
    }

    private void tag(Kind begin, Kind end, String close) {
        int opened = line;
        add(begin, "");
        skip(2 + sign(at + 2).length());
        int depth = 0;
        while (true) {
            skipBlanks();
            if (at >= text.length()) {
                throw JinjaException.at(opened, "a tag has no end");
            }
            String sign = sign(at);
            if (depth == 0 && text.startsWith(close, at + sign.length())) {
                add(end, "");
                skip(sign.length() + 2);
                endOfTag(sign.equals("-"), end == Kind.BLOCK_END && !sign.equals("+"));
                return;
            }
            String operator = token();
            depth += "([{".contains(operator) && !operator.isEmpty() ? 1 : 0;
            depth -= ")]}".contains(operator) && !operator.isEmpty() ? 1 : 0;
        }
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            skip(1);
        }
    }

    /** Adds the next token. Returns the text of an operator of one character, or an empty string for other tokens. */
    private String token() {
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            string(first);
            return "";
        }
        if (Character.isDigit(first)) {
            number();
            return "";
        }
        if (Character.isJavaIdentifierStart(first)) {
            int end = at;
            while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
                end++;
            }
            add(Kind.NAME, text.substring(at, end));
            at = end;
            return "";
        }
        return operator(first);
    }

    private String operator(char first) {
        for (String operator : LONG_OPERATORS) {
            if (text.startsWith(operator, at)) {
                add(Kind.OPERATOR, operator);
                at += 2;
                return "";
            }
        }
        if (OPERATORS.indexOf(first) < 0) {
            throw JinjaException.at(line, "unexpected character " + first);
        }
        add(Kind.OPERATOR, String.valueOf(first));
        at++;
        return String.valueOf(first);
    }

    private void number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw JinjaException.at(line, "a number is malformed");
        }
        boolean isReal = number.group(1) != null || number.group(2) != null;
        add(isReal ? Kind.FLOAT : Kind.INTEGER, number.group().replace("_", ""));
        at = number.end();
    }

    private void string(char quote) {
        StringBuilder content = new StringBuilder();
        int begin = line;
        int place = at + 1;
        while (place < text.length() && text.charAt(place) != quote) {
            if (text.charAt(place) == '\\' && place + 1 < text.length()) {
                place = escape(place + 1, content);
            } else {
                content.append(text.charAt(place++));
            }
        }
        if (place >= text.length()) {
            throw JinjaException.at(begin, "a string has no end");
        }
        add(Kind.STRING, content.toString());
        skip(place + 1 - at);
    }

    private int escape(int place, StringBuilder content) {
        char code = text.charAt(place);
        switch (code) {
            case 'n' -> content.append('\n');
            case 't' -> content.append('\t');
            case 'r' -> content.append('\r');
            case 'b' -> content.append('\b');
            case 'f' -> content.append('\f');
            case '0' -> content.append('\0');
            case '\n' -> {}
            case '\\', '\'', '"' -> content.append(code);
            case 'x', 'u', 'U' -> {
                int digits = code == 'x' ? 2 : code == 'u' ? 4 : 8;
                return codePoint(place + 1, digits, content);
            }
            default -> content.append('\\').append(code);
        }
        return place + 1;
    }

    private int codePoint(int from, int digits, StringBuilder content) {
        try {
            content.appendCodePoint(Integer.parseInt(text.substring(from, from + digits), 16));
        } catch (RuntimeException ignored) {
            throw JinjaException.at(line, "a string has an escape without " + digits + " hexadecimal digits");
        }
        return from + digits;
    }
}
