package dev.outpost.models.constraint;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.Transition;

/**
 * The texts in which a regular expression of ECMA-262 (with its flag {@code u}) matches somewhere, as an automaton. Anchors are characters
 * of their own in front of and behind the text, which are removed in the end. What no automaton can say (look-around, back references)
 * and word boundaries are refused.
 */
final class EcmaPattern {
    private static final int MOST_WORK = 1_000_000;
    private static final int MOST_REPEATED = 1000;
    /** States of all repeated parts together. More are refused before they take the memory of the server. */
    private static final int MOST_BUILT = 200_000;
    // Surrogates are no characters of a text.
    private static final int BEGIN = 0xD800;
    private static final int END = 0xDFFF;

    private static final String WORD = "09AZ__az";
    private static final String SPACES =
            "\t\r  \u00a0\u00a0\u1680\u1680\u2000\u200a\u2028\u2029\u202f\u202f\u205f\u205f"
                    + "\u3000\u3000\ufeff\ufeff";
    private static final Map<String, Automaton> CATEGORIES = new ConcurrentHashMap<>();

    private final String pattern;
    private int place;
    private long built;

    private EcmaPattern(String pattern) {
        this.pattern = pattern;
    }

    /** Deterministic. */
    static Automaton automaton(String pattern) {
        EcmaPattern parser = new EcmaPattern(pattern);
        Automaton match = parser.alternatives();
        if (parser.place < pattern.length()) {
            throw parser.malformed("an unexpected )");
        }
        Automaton around = Operations.repeat(union(ranges("\u0000\ud7ff\ue000\uffff"), astral(), anchors()));
        Automaton marked = Operations.concatenate(List.of(around, match, around));
        Automaton frame = Operations.concatenate(
                List.of(Automata.makeChar(BEGIN), Operations.repeat(anyCharacter()), Automata.makeChar(END)));
        return withoutAnchors(determinized(Operations.intersection(determinized(marked), frame)));
    }

    private static Automaton determinized(Automaton automaton) {
        return Operations.determinize(Operations.removeDeadStates(automaton), MOST_WORK);
    }

    private static Automaton anchors() {
        return union(Automata.makeChar(BEGIN), Automata.makeChar(END));
    }

    private static Automaton withoutAnchors(Automaton marked) {
        if (Operations.isEmpty(marked)) {
            return Automata.makeEmpty();
        }
        Automaton.Builder plain = new Automaton.Builder();
        int[] order = new int[marked.getNumStates()];
        int start = marked.step(0, BEGIN);
        // The automaton begins with the state behind the first anchor.
        for (int state = 0; state < order.length; state++) {
            order[state] = state == start ? 0 : state == 0 ? start : state;
            plain.createState();
        }
        Transition transition = new Transition();
        for (int state = 0; state < order.length; state++) {
            int count = marked.initTransition(state, transition);
            for (int each = 0; each < count; each++) {
                marked.getNextTransition(transition);
                if (transition.min == END) {
                    plain.setAccept(order[state], true);
                } else if (transition.min != BEGIN) {
                    plain.addTransition(order[state], order[transition.dest], transition.min, transition.max);
                }
            }
        }
        return determinized(plain.finish());
    }

    static Automaton anyCharacter() {
        return union(ranges("\u0000\ud7ff\ue000\uffff"), astral());
    }

    private static Automaton astral() {
        return Automata.makeCharRange(0x10000, Character.MAX_CODE_POINT);
    }

    private static Automaton union(Automaton... parts) {
        return Operations.union(List.of(parts));
    }

    /** @param bounds first and last character of each */
    private static Automaton ranges(String bounds) {
        List<Automaton> ranges = new ArrayList<>();
        for (int at = 0; at < bounds.length(); at += 2) {
            ranges.add(Automata.makeCharRange(bounds.charAt(at), bounds.charAt(at + 1)));
        }
        return Operations.union(ranges);
    }

    private static Automaton not(Automaton characters) {
        return determinized(Operations.minus(determinized(anyCharacter()), determinized(characters), MOST_WORK));
    }

    private OutpostException malformed(String why) {
        return refusal("pattern: " + why + " at character " + place + " of " + pattern);
    }

    private static OutpostException refusal(String why) {
        return new OutpostException(FaultKind.USER, "JSON schema: " + why);
    }

    private OutpostException unknown(String what) {
        return refusal("pattern: " + what + " cannot be enforced, in " + pattern);
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

    private Automaton alternatives() {
        List<Automaton> all = new ArrayList<>(List.of(sequence()));
        while (skip("|")) {
            all.add(sequence());
        }
        return Operations.union(all);
    }

    private Automaton sequence() {
        List<Automaton> parts = new ArrayList<>();
        while (place < pattern.length() && !isAt("|") && !isAt(")")) {
            if (skip("^")) {
                parts.add(anchor(BEGIN, parts));
            } else if (skip("$")) {
                parts.add(anchor(END, parts));
            } else {
                parts.add(repeated(atom()));
            }
        }
        return parts.isEmpty() ? Automata.makeEmptyString() : Operations.concatenate(parts);
    }

    /** An anchor that stands twice is one. */
    private Automaton anchor(int which, List<Automaton> before) {
        String mark = which == BEGIN ? "^" : "$";
        while (skip(mark)) {
            // The same place.
        }
        if (place < pattern.length() && "*+?{".indexOf(pattern.charAt(place)) >= 0) {
            throw malformed("a repeated anchor");
        }
        return Automata.makeChar(which);
    }

    private Automaton repeated(Automaton atom) {
        Automaton result = atom;
        if (skip("*")) {
            result = Operations.repeat(atom);
        } else if (skip("+")) {
            result = Operations.repeat(atom, 1);
        } else if (skip("?")) {
            result = Operations.optional(atom);
        } else if (skip("{")) {
            result = counted(atom);
        } else {
            return result;
        }
        // As few as possible is the same set of texts.
        skip("?");
        return result;
    }

    private Automaton counted(Automaton atom) {
        int least = number();
        int most = least;
        boolean isOpen = false;
        if (skip(",")) {
            isOpen = isAt("}");
            most = isOpen ? least : number();
        }
        if (!skip("}") || most < least) {
            throw malformed("a malformed repetition");
        }
        built += (long) atom.getNumStates() * Math.max(1, most);
        if (built > MOST_BUILT) {
            throw SchemaDocument.refusal("the pattern " + pattern + " has too many states to be enforced, more than "
                    + MOST_BUILT + "; a repeated part counts as often as it may come");
        }
        return isOpen ? Operations.repeat(atom, least) : Operations.repeat(atom, least, most);
    }

    private int number() {
        int begin = place;
        while (place < pattern.length() && Character.isDigit(pattern.charAt(place))) {
            place++;
        }
        if (begin == place || place - begin > 4 || Integer.parseInt(pattern.substring(begin, place)) > MOST_REPEATED) {
            throw malformed("a repetition other than by 0 to " + MOST_REPEATED);
        }
        return Integer.parseInt(pattern.substring(begin, place));
    }

    private Automaton atom() {
        int character = next();
        return switch (character) {
            case '(' -> group();
            case '[' -> characterClass();
            case '.' -> not(ranges("\n\n\r\r\u2028\u2029"));
            case '\\' -> escape();
            case '*', '+', '?', '{', '}', ']' -> {
                place--;
                throw malformed("an unexpected " + Character.toString(character));
            }
            default -> Automata.makeChar(character);
        };
    }

    private Automaton group() {
        if (skip("?")) {
            if (isAt("=") || isAt("!") || isAt("<=") || isAt("<!")) {
                throw unknown("a look-around (?" + pattern.charAt(place));
            }
            if (skip("<")) {
                while (next() != '>') {
                    // The name.
                }
            } else if (!skip(":")) {
                throw malformed("an unknown group");
            }
        }
        Automaton content = alternatives();
        if (!skip(")")) {
            throw malformed("a missing )");
        }
        return content;
    }

    private Automaton escape() {
        if (isAt("b") || isAt("B")) {
            throw unknown("\\" + pattern.charAt(place));
        }
        if (isAt("k") || place < pattern.length() && pattern.charAt(place) >= '1' && pattern.charAt(place) <= '9') {
            throw unknown("a back reference");
        }
        Automaton many = manyEscaped();
        return many == null ? Automata.makeChar(oneEscaped()) : many;
    }

    /** Of an escape that stands for several characters, or null. */
    private Automaton manyEscaped() {
        int begin = place;
        int kind = next();
        switch (kind) {
            case 'd':
                return ranges("09");
            case 'D':
                return not(ranges("09"));
            case 'w':
                return ranges(WORD);
            case 'W':
                return not(ranges(WORD));
            case 's':
                return spaces();
            case 'S':
                return not(spaces());
            case 'p':
            case 'P':
                Automaton property = property();
                return kind == 'p' ? property : not(property);
            default:
                place = begin;
                return null;
        }
    }

    private static Automaton spaces() {
        return ranges(SPACES);
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

    private Automaton characterClass() {
        boolean isNegated = skip("^");
        List<Automaton> members = new ArrayList<>();
        while (!skip("]")) {
            Automaton many = null;
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
                members.add(Automata.makeCharRange(first, last));
            } else {
                members.add(Automata.makeChar(first));
            }
        }
        Automaton all = Operations.union(members);
        return isNegated ? not(all) : both(all);
    }

    private static Automaton both(Automaton characters) {
        return determinized(Operations.intersection(characters, anyCharacter()));
    }

    private Automaton property() {
        int end = skip("{") ? pattern.indexOf('}', place) : -1;
        if (end < 0) {
            throw malformed("a malformed property");
        }
        String name = pattern.substring(place, end);
        place = end + 1;
        String value = name.replaceFirst("^(gc|General_Category)=", "");
        String category = Categories.SHORT_NAMES.getOrDefault(value, value);
        if (!Categories.OF_TYPES.containsValue(category)
                && !Categories.OF_TYPES.values().stream()
                        .anyMatch(known -> known.substring(0, 1).equals(category))) {
            throw unknown("\\p{" + name + "}");
        }
        return CATEGORIES.computeIfAbsent(category, Categories::automaton);
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
        static final Map<Byte, String> OF_TYPES = types();

        private static Map<Byte, String> types() {
            String[] names = {
                "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf",
                "", "Co", "Cs", "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf"
            };
            Map<Byte, String> types = new HashMap<>();
            for (byte type = 0; type < names.length; type++) {
                if (!names[type].isEmpty()) {
                    types.put(type, names[type]);
                }
            }
            return types;
        }

        static Automaton automaton(String category) {
            Automaton automaton = new Automaton();
            int from = automaton.createState();
            int to = automaton.createState();
            automaton.setAccept(to, true);
            int begin = -1;
            for (int character = 0; character <= Character.MAX_CODE_POINT + 1; character++) {
                boolean isIn = character <= Character.MAX_CODE_POINT
                        && (character < BEGIN || character > END)
                        && OF_TYPES.get((byte) Character.getType(character)).startsWith(category);
                if (isIn && begin < 0) {
                    begin = character;
                } else if (!isIn && begin >= 0) {
                    automaton.addTransition(from, to, begin, character - 1);
                    begin = -1;
                }
            }
            automaton.finishState();
            return automaton;
        }
    }
}
