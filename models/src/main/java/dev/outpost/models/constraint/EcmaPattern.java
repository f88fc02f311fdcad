package dev.outpost.models.constraint;

import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of ECMA-262 with its flag {@code u}. Look-around and back references, which an automaton cannot express, and word
 * boundaries are errors. {@link PatternAutomaton} converts it to an automaton.
 */
final class EcmaPattern {
    private static final int MAX_REPEATED = 1000;
    /** The maximum number of states of an expression. A repeated part counts once for each possible repetition. */
    private static final int MAX_BUILT = 20_000;

    private static final int MAX_NESTED = 200;
    private static final int MAX_QUOTED = 200;

    private static final String WORD = "09AZ__az";
    private static final String SPACES =
            "\t\r  \u00a0\u00a0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f"
                    + "\u3000\u3000\ufeff\ufeff";
    private static final Map<String, CharacterSet> CATEGORIES = new ConcurrentHashMap<>();

    /** A part of an expression. */
    sealed interface Part {
        /** Returns the approximate number of states of this part. */
        long states();
    }

    /** One character from a set. */
    record One(CharacterSet set) implements Part {
        @Override
        public long states() {
            return 1;
        }
    }

    /** An anchor at the start or end of the text. */
    record Anchor(boolean isBegin) implements Part {
        @Override
        public long states() {
            return 1;
        }
    }

    /** Parts in sequence. */
    record Sequence(List<Part> parts, long states) implements Part {
        Sequence(List<Part> parts) {
            this(parts, parts.stream().mapToLong(Part::states).sum());
        }
    }

    /** A choice between parts. */
    record Choice(List<Part> parts, long states) implements Part {
        Choice(List<Part> parts) {
            this(parts, parts.size() + parts.stream().mapToLong(Part::states).sum());
        }
    }

    /** A repeated part. {@code max} is −1 for any number of repetitions. */
    record Repeated(Part part, int min, int max, long states) implements Part {
        Repeated(Part part, int min, int max) {
            this(part, min, max, (part.states() + 1) * Math.max(1, max < 0 ? min + 1L : max));
        }
    }

    private final String pattern;
    private int place;
    private int nested;

    private EcmaPattern(String pattern) {
        this.pattern = pattern;
    }

    static Part parse(String pattern) {
        if (pattern.length() > MAX_BUILT) {
            throw tooLarge(pattern);
        }
        EcmaPattern parser = new EcmaPattern(pattern);
        Part part = parser.alternatives();
        if (parser.place < pattern.length()) {
            throw parser.malformed("an unexpected )");
        }
        return part;
    }

    private <P extends Part> P checked(P part) {
        if (part.states() > MAX_BUILT) {
            throw tooLarge(pattern);
        }
        return part;
    }

    static OutpostException tooLarge(String pattern) {
        return SchemaDocument.refusal("the pattern " + shortened(pattern)
                + " has too many states to be enforced; a repeated part counts as often as it may come");
    }

    private static String shortened(String pattern) {
        return pattern.length() <= MAX_QUOTED ? pattern : pattern.substring(0, MAX_QUOTED) + "...";
    }

    private OutpostException malformed(String why) {
        return SchemaDocument.refusal("pattern: " + why + " at character " + place + " of " + shortened(pattern));
    }

    private OutpostException unknown(String what) {
        return SchemaDocument.refusal("pattern: " + what + " cannot be enforced, in " + shortened(pattern));
    }

    private boolean isAt(String text) {
        return pattern.startsWith(text, place);
    }

    private boolean skip(String text) {
        boolean is = isAt(text);
        place += is ? text.length() : 0;
        return is;
    }

    private int next() {
        if (place == pattern.length()) {
            throw malformed("it ends too early");
        }
        int character = pattern.codePointAt(place);
        place += Character.charCount(character);
        return character;
    }

    private Part alternatives() {
        if (++nested > MAX_NESTED) {
            throw malformed("groups that are more than " + MAX_NESTED + " deep");
        }
        List<Part> all = new ArrayList<>(List.of(sequence()));
        while (skip("|")) {
            all.add(sequence());
        }
        nested--;
        return all.size() == 1 ? all.getFirst() : checked(new Choice(all));
    }

    private Part sequence() {
        List<Part> parts = new ArrayList<>();
        while (place < pattern.length() && !isAt("|") && !isAt(")")) {
            if (skip("^")) {
                parts.add(anchor(true));
            } else if (skip("$")) {
                parts.add(anchor(false));
            } else {
                parts.add(repeated(atom()));
            }
        }
        return parts.size() == 1 ? parts.getFirst() : checked(new Sequence(parts));
    }

    private Part anchor(boolean isBegin) {
        if (place < pattern.length() && "*+?{".indexOf(pattern.charAt(place)) >= 0) {
            throw malformed("a repeated anchor");
        }
        return new Anchor(isBegin);
    }

    private Part repeated(Part atom) {
        Part result = atom;
        if (skip("*")) {
            result = new Repeated(atom, 0, -1);
        } else if (skip("+")) {
            result = new Repeated(atom, 1, -1);
        } else if (skip("?")) {
            result = new Repeated(atom, 0, 1);
        } else if (skip("{")) {
            result = counted(atom);
        } else {
            return result;
        }
        // A lazy quantifier matches the same set of texts.
        skip("?");
        return checked(result);
    }

    private Part counted(Part atom) {
        int min = number();
        int max = min;
        if (skip(",")) {
            max = isAt("}") ? -1 : number();
        }
        if (!skip("}") || max >= 0 && max < min) {
            throw malformed("a malformed repetition");
        }
        return new Repeated(atom, min, max);
    }

    private int number() {
        int begin = place;
        while (place < pattern.length() && Character.isDigit(pattern.charAt(place))) {
            place++;
        }
        if (begin == place || place - begin > 4 || Integer.parseInt(pattern.substring(begin, place)) > MAX_REPEATED) {
            throw malformed("a repetition other than by 0 to " + MAX_REPEATED);
        }
        return Integer.parseInt(pattern.substring(begin, place));
    }

    private static Part character(int character) {
        return new One(CharacterSet.ofRanges(character, character));
    }

    private Part atom() {
        int character = next();
        return switch (character) {
            case '(' -> group();
            case '[' -> new One(characterClass());
            case '.' -> new One(CharacterSet.of("\n\n\r\r\u2028\u2029").others());
            case '\\' -> escape();
            case '*', '+', '?', '{', '}', ']' -> {
                place--;
                throw malformed("an unexpected " + Character.toString(character));
            }
            default -> character(character);
        };
    }

    private Part group() {
        if (skip("?")) {
            if (isAt("=") || isAt("!") || isAt("<=") || isAt("<!")) {
                throw unknown("a look-around (?" + pattern.charAt(place));
            }
            if (skip("<")) {
                while (next() != '>') {
                    // Skips the name of the group.
                }
            } else if (!skip(":")) {
                throw malformed("an unknown group");
            }
        }
        Part content = alternatives();
        if (!skip(")")) {
            throw malformed("a missing )");
        }
        return content;
    }

    private Part escape() {
        if (isAt("b") || isAt("B")) {
            throw unknown("\\" + pattern.charAt(place));
        }
        if (isAt("k") || place < pattern.length() && pattern.charAt(place) >= '1' && pattern.charAt(place) <= '9') {
            throw unknown("a back reference");
        }
        CharacterSet many = manyEscaped();
        return many == null ? character(oneEscaped()) : new One(many);
    }

    /** Returns the set of an escape that stands for several characters, or null for another escape. */
    private @Nullable CharacterSet manyEscaped() {
        int begin = place;
        int kind = next();
        CharacterSet set = switch (Character.toLowerCase(kind)) {
            case 'd' -> CharacterSet.of("09");
            case 'w' -> CharacterSet.of(WORD);
            case 's' -> CharacterSet.of(SPACES);
            case 'p' -> property();
            default -> null;
        };
        if (set == null) {
            place = begin;
            return null;
        }
        return Character.isUpperCase(kind) ? set.others() : set;
    }

    private int oneEscaped() {
        int kind = next();
        return switch (kind) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'f' -> '\f';
            case 'v' -> 0x0B;
            case '0' -> 0;
            case 'x' -> hex(2);
            case 'u' -> unicode();
            case 'c' -> next() % 32;
            default -> {
                if (Character.isLetterOrDigit(kind)) {
                    place--;
                    throw malformed("an unknown escape \\" + Character.toString(kind));
                }
                yield kind;
            }
        };
    }

    private int hex(int digits) {
        if (place + digits > pattern.length()) {
            throw malformed("a malformed escape");
        }
        String text = pattern.substring(place, place + digits);
        if (!text.matches("[0-9a-fA-F]+")) {
            throw malformed("a malformed escape");
        }
        place += digits;
        return Integer.parseInt(text, 16);
    }

    private int unicode() {
        if (skip("{")) {
            int end = pattern.indexOf('}', place);
            if (end < place + 1 || end > place + 6) {
                throw malformed("a malformed escape");
            }
            int value = hex(end - place);
            place++;
            return value;
        }
        int first = hex(4);
        if (Character.isHighSurrogate((char) first) && skip("\\u")) {
            return Character.toCodePoint((char) first, (char) hex(4));
        }
        return first;
    }

    private CharacterSet characterClass() {
        boolean isNegated = skip("^");
        List<CharacterSet> members = new ArrayList<>();
        while (!skip("]")) {
            CharacterSet many = null;
            int first = next();
            if (first == '\\') {
                many = manyEscaped();
                first = many != null ? 0 : skip("b") ? '\b' : skip("-") ? '-' : oneEscaped();
            }
            if (many != null) {
                members.add(many);
            } else if (isAt("-") && !pattern.startsWith("]", place + 1)) {
                place++;
                int last = next();
                last = last != '\\' ? last : skip("b") ? '\b' : skip("-") ? '-' : oneEscaped();
                if (last < first) {
                    throw malformed("a range from more to less");
                }
                members.add(CharacterSet.ofRanges(first, last));
            } else {
                members.add(CharacterSet.ofRanges(first, first));
            }
        }
        CharacterSet all = CharacterSet.union(members);
        return isNegated ? all.others() : all;
    }

    private CharacterSet property() {
        int end = skip("{") ? pattern.indexOf('}', place) : -1;
        if (end < 0) {
            throw malformed("a malformed property");
        }
        String name = pattern.substring(place, end);
        place = end + 1;
        String value = name.replaceFirst("^(gc|General_Category)=", "");
        String category = Categories.SHORT_NAMES.getOrDefault(value, value);
        boolean isKnown = Categories.OF_TYPES.stream()
                .anyMatch(known -> !category.isEmpty()
                        && (known.equals(category) || category.length() == 1 && known.startsWith(category)));
        if (!isKnown) {
            throw unknown("\\p{" + name + "}");
        }
        return CATEGORIES.computeIfAbsent(category, Categories::set);
    }

    /** The general categories of Unicode. */
    private static final class Categories {
        static final Map<String, String> SHORT_NAMES = Map.ofEntries(
                Map.entry("Letter", "L"),
                Map.entry("Uppercase_Letter", "Lu"),
                Map.entry("Lowercase_Letter", "Ll"),
                Map.entry("Titlecase_Letter", "Lt"),
                Map.entry("Modifier_Letter", "Lm"),
                Map.entry("Other_Letter", "Lo"),
                Map.entry("Mark", "M"),
                Map.entry("Number", "N"),
                Map.entry("Decimal_Number", "Nd"),
                Map.entry("digit", "Nd"),
                Map.entry("Letter_Number", "Nl"),
                Map.entry("Other_Number", "No"),
                Map.entry("Punctuation", "P"),
                Map.entry("punct", "P"),
                Map.entry("Symbol", "S"),
                Map.entry("Separator", "Z"),
                Map.entry("Space_Separator", "Zs"),
                Map.entry("Other", "C"),
                Map.entry("Control", "Cc"));
        /** The abbreviations, indexed by the constants of {@link Character}; empty at unused indices. */
        static final List<String> OF_TYPES = List.of(
                "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf",
                "", "Co", "Cs", "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf");

        static CharacterSet set(String category) {
            boolean[] isIn = new boolean[OF_TYPES.size()];
            for (int type = 0; type < isIn.length; type++) {
                isIn[type] = OF_TYPES.get(type).startsWith(category);
            }
            IntStream.Builder bounds = IntStream.builder();
            int begin = -1;
            for (int character = 0; character <= Character.MAX_CODE_POINT + 1; character++) {
                boolean is = character <= Character.MAX_CODE_POINT && isIn[Character.getType(character)];
                if (is && begin < 0) {
                    begin = character;
                } else if (!is && begin >= 0) {
                    bounds.add(begin).add(character - 1);
                    begin = -1;
                }
            }
            return CharacterSet.ofRanges(bounds.build().toArray());
        }
    }
}
