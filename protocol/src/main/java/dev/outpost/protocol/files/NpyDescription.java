package dev.outpost.protocol.files;

import dev.outpost.types.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The Python literal in the header of an .npy file: {@code {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }}. The three fields
 * may have any order. Each occurs once, and no other field is allowed.
 */
record NpyDescription(String descr, boolean isColumnMajor, long[] sizes) {
    static NpyDescription parse(String text) {
        return new Parser(text).parse();
    }

    private static final class Parser {
        private final String text;
        private int at;

        private @Nullable String descr;
        private @Nullable Boolean isColumnMajor;
        private long @Nullable [] sizes;

        Parser(String text) {
            this.text = text;
        }

        NpyDescription parse() {
            expect('{');
            while (!isNext('}')) {
                String key = string();
                expect(':');
                readField(key);
                if (!isNext('}')) {
                    expect(',');
                }
            }
            expect('}');
            skipBlanks();
            if (at < text.length()) {
                throw problem("the end");
            }
            if (descr == null || isColumnMajor == null || sizes == null) {
                throw new IllegalArgumentException("descr, fortran_order and shape are needed");
            }
            return new NpyDescription(descr, isColumnMajor, sizes);
        }

        private void readField(String key) {
            boolean isTwice = switch (key) {
                case "descr" -> descr != null;
                case "fortran_order" -> isColumnMajor != null;
                case "shape" -> sizes != null;
                default -> throw new IllegalArgumentException("there is no field " + Json.quote(key));
            };
            if (isTwice) {
                throw new IllegalArgumentException(key + " comes twice");
            }
            switch (key) {
                case "descr" -> descr = dtype();
                case "fortran_order" -> isColumnMajor = bool();
                default -> sizes = tuple();
            }
        }

        private String dtype() {
            if (isNext('[') || isNext('(')) {
                throw new IllegalArgumentException("arrays of structures are not supported");
            }
            return string();
        }

        private String string() {
            skipBlanks();
            char quote = at < text.length() ? text.charAt(at) : ' ';
            int end = quote == '\'' || quote == '"' ? text.indexOf(quote, at + 1) : -1;
            if (end < 0 || text.substring(at, end).indexOf('\\') >= 0) {
                throw problem("a string");
            }
            String string = text.substring(at + 1, end);
            at = end + 1;
            return string;
        }

        private boolean bool() {
            skipBlanks();
            for (String word : new String[] {"True", "False"}) {
                if (text.startsWith(word, at)) {
                    at += word.length();
                    return word.equals("True");
                }
            }
            throw problem("True or False");
        }

        private long[] tuple() {
            expect('(');
            long[] read = new long[Shape.MAX_RANK];
            int count = 0;
            boolean hasComma = true;
            while (!isNext(')')) {
                if (!hasComma) {
                    throw problem("a comma");
                }
                if (count == read.length) {
                    throw new IllegalArgumentException("a shape has at most " + read.length + " sizes");
                }
                read[count++] = size();
                hasComma = isNext(',');
                at += hasComma ? 1 : 0;
            }
            if (count == 1 && !hasComma) {
                throw problem("a comma");
            }
            expect(')');
            return Arrays.copyOf(read, count);
        }

        /** Reads digits. Python 2 wrote an L after long numbers. */
        private long size() {
            skipBlanks();
            int from = at;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            if (at == from || at - from > 19) {
                at = from;
                throw problem("a size");
            }
            long size;
            try {
                size = Long.parseLong(text, from, at, 10);
            } catch (NumberFormatException failure) {
                throw new IllegalArgumentException("a size is out of range, got " + text.substring(from, at), failure);
            }
            at += at < text.length() && text.charAt(at) == 'L' ? 1 : 0;
            return size;
        }

        private boolean isNext(char expected) {
            skipBlanks();
            return at < text.length() && text.charAt(at) == expected;
        }

        private void expect(char expected) {
            if (!isNext(expected)) {
                throw problem(Character.toString(expected));
            }
            at++;
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
                at++;
            }
        }

        private IllegalArgumentException problem(String expected) {
            String found =
                    at < text.length() ? Json.quote(text.substring(at, Math.min(text.length(), at + 20))) : "the end";
            return new IllegalArgumentException("expected " + expected + " at character " + at + ", got " + found);
        }
    }
}
