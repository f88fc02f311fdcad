package dev.outpost.models.constraint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * Converts a JSON schema to an automaton over code points that accepts the valid texts. Members have the order of the schema, with at most
 * one blank after a comma or a colon. A finite automaton cannot express unbounded nesting. So recursive schemas and values of any type
 * nest a limited number of times, and fewer times if the schema is large. A keyword that cannot be enforced is an error that names it;
 * {@code docs/serving.md} lists the enforced keywords.
 */
public final class JsonSchema {
    private static final int MAX_ITEMS = 1000;
    private static final int MAX_DEEP = 200;
    /** The maximum number of states of a regular expression. The limit protects the memory of the server. */
    private static final int MAX_BUILT = 500_000;
    /** The maximum number of steps for a schema: some tenths of a second. */
    private static final long MAX_STEPS = 20_000_000;
    /** The maximum number of steps in the library for the names of all members together. */
    private static final int MAX_OF_NAMES = 100_000;
    /** The maximum number of characters of a number that is written without an exponent. */
    private static final int MAX_PLAIN = 20;
    /** The factor by which the limit of states grows if every spelling is accepted. */
    private static final int MORE_FOR_EVERY = 8;

    /** The maximum number of members that an object accepts in any order, if every valid text is accepted. */
    private static final int MAX_UNORDERED = 3;

    /**
     * The depth to which references and values of any type nest. An attempt with the next, smaller depth follows if the automaton has too
     * many states.
     */
    private enum Nesting {
        DEEP(16, 3, 3_000),
        USUAL(8, 3, 12_000),
        SHALLOW(4, 2, 20_000),
        FLAT(2, 1, 40_000);

        final int references;
        final int anyValues;
        final int states;

        Nesting(int references, int anyValues, int states) {
            this.references = references;
            this.anyValues = anyValues;
            this.states = states;
        }
    }

    private final SchemaDocument document;
    private final boolean isEvery;
    private final Nesting nesting;
    private final StateGraph graph;
    private final StringStates strings;
    private final StringPatterns patterns;
    private final Effort effort;
    /** The schemas that enclose the current value, with the number of times that each occurs. */
    private final Map<Set<ObjectNode>, Integer> within = new HashMap<>();

    private int depth;
    /** True if a value was left out because it nests too deeply. */
    private boolean isCut;

    private JsonSchema(
            SchemaDocument document, StringPatterns patterns, boolean isEvery, Nesting nesting, Effort effort) {
        this.document = document;
        this.patterns = patterns;
        this.effort = effort;
        this.isEvery = isEvery;
        this.nesting = nesting;
        graph = new StateGraph(isEvery ? MORE_FOR_EVERY * nesting.states : nesting.states, effort);
        strings = new StringStates(graph, isEvery);
    }

    /**
     * Returns the automaton of every valid text. It also accepts integers written as {@code 1.0}, members that the schema does not name,
     * and every spelling of a character. It is empty if no value satisfies the schema.
     */
    public static Automaton automaton(String schema) {
        return automaton(schema, true, () -> false);
    }

    /**
     * Returns the automaton of the valid texts that a model should generate. Members that the schema does not name occur only if it has
     * {@code additionalProperties} or names no members, and they come last. Numbers have a bounded number of digits. A schema without a
     * type has the type to which its keywords apply.
     *
     * @param isCancelled polled by the calling thread; once it returns true, {@link CompilationCancelledException} is thrown
     */
    public static Automaton generated(String schema, BooleanSupplier isCancelled) {
        return automaton(schema, false, isCancelled);
    }

    private static Automaton automaton(String schema, boolean isEvery, BooleanSupplier isCancelled) {
        Effort effort = new Effort(isEvery ? MORE_FOR_EVERY * MAX_STEPS : MAX_STEPS, isCancelled);
        SchemaDocument document;
        try {
            document = new SchemaDocument(
                    JsonMapper.builder()
                            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
                            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                            .build()
                            .readTree(schema),
                    effort);
        } catch (JsonProcessingException failure) {
            throw SchemaDocument.refusal("it is no JSON: " + failure.getOriginalMessage());
        }
        StringPatterns patterns = new StringPatterns(document, effort);
        for (Nesting nesting : Nesting.values()) {
            try {
                JsonSchema built = new JsonSchema(document, patterns, isEvery, nesting, effort);
                Automaton texts = built.automaton();
                if (!isEvery && Operations.isEmpty(texts)) {
                    throw built.noValue();
                }
                return texts;
            } catch (StateGraph.TooLargeException tooLarge) {
                // Continues with a smaller depth.
            } catch (Deterministic.TooManyStatesException | TooComplexToDeterminizeException ignored) {
                throw SchemaDocument.refusal("a pattern or a number has too many states to be enforced");
            }
        }
        throw SchemaDocument.refusal("it has too many states to be enforced, more than " + Nesting.FLAT.states
                + "; bounds of lengths and items count as often as they are large");
    }

    /** Returns the automaton of the texts that a regular expression matches as a whole. */
    public static Automaton regex(String expression) {
        try {
            RegExp parsed = new RegExp(plainQuotes(expression), RegExp.NONE);
            if (states(parsed) > MAX_BUILT) {
                throw new OutpostException(FaultKind.USER, "constraint: it has too many states to be used");
            }
            return parsed.toAutomaton();
        } catch (IllegalArgumentException failure) {
            throw new OutpostException(
                    FaultKind.USER, "constraint: the expression is malformed: " + failure.getMessage(), failure);
        }
    }

    /** Returns the approximate number of states of an expression. A repeated part counts once for each repetition. */
    private static long states(RegExp part) {
        if (part == null) {
            return 0;
        }
        long inner = Math.min(MAX_BUILT + 1L, states(part.exp1) + states(part.exp2));
        return switch (part.kind) {
            case REGEXP_REPEAT_MIN -> inner * (part.min + 1L);
            case REGEXP_REPEAT_MINMAX -> inner * Math.max(1L, part.max);
            case REGEXP_STRING -> part.s.length();
            default -> inner + 1;
        };
    }

    /** Escapes quotes, which the library would read as the delimiters of a literal. */
    private static String plainQuotes(String expression) {
        StringBuilder plain = new StringBuilder();
        for (int place = 0; place < expression.length(); place++) {
            char at = expression.charAt(place);
            if (at == '\\' && place + 1 < expression.length()) {
                plain.append(at).append(expression.charAt(++place));
            } else {
                plain.append(at == '"' ? "\\\"" : String.valueOf(at));
            }
        }
        return plain.toString();
    }

    private OutpostException noValue() {
        return SchemaDocument.refusal(
                isCut
                        ? "no value satisfies it in which a schema contains itself at most " + nesting.references
                                + " times"
                        : "no value satisfies it; a required member may be one that its schema or"
                                + " additionalProperties forbids");
    }

    private Automaton automaton() {
        int start = value(List.of(document.root()), graph.end());
        return graph.finish(start);
    }

    /** Returns a state from which a value leads to the next state. */
    private int value(List<JsonNode> schemas, int next) {
        if (depth == MAX_DEEP) {
            throw SchemaDocument.refusal("it is more than " + MAX_DEEP + " deep");
        }
        int start = graph.state();
        depth++;
        for (List<ObjectNode> together : document.alternatives(schemas)) {
            Set<ObjectNode> key = Collections.newSetFromMap(new IdentityHashMap<>());
            key.addAll(together);
            int times = within.merge(key, 1, Integer::sum);
            if (times <= (together.isEmpty() ? nesting.anyValues : nesting.references)) {
                graph.enter(start, alternative(together, next));
            } else {
                isCut = true;
            }
            within.merge(key, -1, Integer::sum);
        }
        depth--;
        return start;
    }

    private int alternative(List<ObjectNode> schemas, int next) {
        int start = graph.state();
        List<JsonNode> constants = document.constants(schemas);
        if (constants != null) {
            List<BytesRef> texts = new ArrayList<>();
            for (JsonNode constant : constants) {
                effort.spend(1);
                if (!document.isValid(constant, schemas, patterns)) {
                    continue;
                }
                if (constant.isTextual()) {
                    texts.add(new BytesRef(constant.textValue()));
                } else {
                    graph.enter(start, constant(constant, next));
                }
            }
            if (!texts.isEmpty()) {
                // The union is minimal, so texts share the states of common prefixes and suffixes.
                Collections.sort(texts);
                graph.enter(start, strings.of(Automata.makeStringUnion(texts), next));
            }
            return start;
        }
        for (SchemaDocument.Type type : types(schemas)) {
            graph.enter(start, typed(type, schemas, next));
        }
        return start;
    }

    private EnumSet<SchemaDocument.Type> types(List<ObjectNode> schemas) {
        EnumSet<SchemaDocument.Type> types = document.types(schemas);
        if (isEvery || schemas.stream().anyMatch(schema -> schema.has("type"))) {
            return types;
        }
        EnumSet<SchemaDocument.Type> spoken = EnumSet.noneOf(SchemaDocument.Type.class);
        for (Map.Entry<SchemaDocument.Type, Set<String>> keywords : OF_TYPES.entrySet()) {
            if (schemas.stream().anyMatch(schema -> keywords.getValue().stream().anyMatch(schema::has))) {
                spoken.add(keywords.getKey());
            }
        }
        return spoken.isEmpty() ? types : spoken;
    }

    private static final Map<SchemaDocument.Type, Set<String>> OF_TYPES = Map.of(
            SchemaDocument.Type.OBJECT, Set.of("properties", "required", "additionalProperties"),
            SchemaDocument.Type.ARRAY, Set.of("items", "prefixItems", "minItems", "maxItems"),
            SchemaDocument.Type.STRING, Set.of("minLength", "maxLength", "pattern", "format"),
            SchemaDocument.Type.NUMBER,
                    Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"));

    private int typed(SchemaDocument.Type type, List<ObjectNode> schemas, int next) {
        return switch (type) {
            case NULL -> graph.text("null", next);
            case BOOLEAN -> either(graph.text("true", next), graph.text("false", next));
            case NUMBER -> graph.automaton(NumberAutomata.of(document.range(schemas), isEvery, effort), next);
            case STRING -> string(schemas, next);
            case ARRAY -> array(schemas, next);
            case OBJECT -> object(schemas, next);
        };
    }

    private int either(int one, int other) {
        int start = graph.state();
        graph.enter(start, one);
        graph.enter(start, other);
        return start;
    }

    private int constant(JsonNode value, int next) {
        return switch (value.getNodeType()) {
            case NUMBER ->
                isEvery
                        ? graph.automaton(NumberAutomata.equalTo(value.decimalValue(), effort), next)
                        : graph.text(written(value), next);
            case STRING -> strings.of(Automata.makeString(value.textValue()), next);
            case ARRAY -> {
                Items items = new Items(value.size(), value.size(), value.size());
                yield items.open(number -> then -> constant(value.get(number), then), next);
            }
            case OBJECT -> {
                List<String> names =
                        value.propertyStream().map(Map.Entry::getKey).toList();
                yield new Members(names, new HashSet<>(names), null, next) {
                    @Override
                    int member(String name, int then) {
                        return constant(value.get(name), then);
                    }
                }.open();
            }
            default -> graph.text(value.toString(), next);
        };
    }

    private static String written(JsonNode number) {
        String plain = number.decimalValue().stripTrailingZeros().toPlainString();
        return plain.length() <= MAX_PLAIN ? plain : number.toString();
    }

    private int string(List<ObjectNode> schemas, int next) {
        Automaton content = patterns.automaton(schemas);
        if (content != null) {
            return strings.of(content, next);
        }
        int min = Math.max(0, document.bound(schemas, "minLength", StringPatterns.MAX_LENGTH));
        int max = document.bound(schemas, "maxLength", StringPatterns.MAX_LENGTH);
        return max >= 0 && max < min ? graph.state() : strings.ofLength(min, max, next);
    }

    /** Adds one optional blank. */
    private int blank(int next) {
        int start = graph.state();
        graph.edge(start, ' ', next);
        graph.enter(start, next);
        return start;
    }

    // Arrays

    /** Builds the state before a value from the state after it. */
    private interface Value {
        int before(int next);
    }

    private interface Values {
        Value item(int number);
    }

    private int array(List<ObjectNode> schemas, int next) {
        int min = Math.max(0, document.bound(schemas, "minItems", MAX_ITEMS));
        int max = document.bound(schemas, "maxItems", MAX_ITEMS);
        Items items = new Items(min, max, document.prefix(schemas));
        return items.open(number -> then -> value(document.item(schemas, number), then), next);
    }

    /**
     * The items of an array.
     *
     * @param max −1 for any number
     * @param prefix the number of items with their own schemas
     */
    private final class Items {
        private final int min;
        private final int max;
        private final int prefix;

        Items(int min, int max, int prefix) {
            this.min = min;
            this.max = max;
            this.prefix = prefix;
        }

        int open(Values values, int next) {
            int open = graph.state();
            int content = graph.state();
            graph.edge(open, '[', content);
            if (max >= 0 && max < min) {
                return open;
            }
            if (min == 0) {
                graph.edge(content, ']', next);
            }
            if (max != 0) {
                graph.enter(content, from(values, next));
            }
            return open;
        }

        /** Returns the state before the first item. */
        private int from(Values values, int next) {
            int last = max < 0 ? Math.max(min, prefix) : max;
            int behind = graph.state();
            graph.edge(behind, ']', next);
            if (max < 0) {
                int comma = graph.state();
                graph.edge(behind, ',', comma);
                int item = values.item(last).before(behind);
                graph.edge(comma, ' ', item);
                graph.enter(comma, item);
                if (last == 0) {
                    return item;
                }
            }
            for (int number = last - 1; number >= 0; number--) {
                int item = values.item(number).before(behind);
                if (number == 0) {
                    return item;
                }
                behind = graph.state();
                graph.edge(behind, ',', blank(item));
                if (number >= min) {
                    graph.edge(behind, ']', next);
                }
            }
            throw new IllegalStateException("an array without items");
        }
    }

    // Objects

    private int object(List<ObjectNode> schemas, int next) {
        List<String> names = document.names(schemas);
        List<JsonNode> others = document.otherMembers(schemas);
        boolean isClosed = !isEvery
                && others.isEmpty()
                && schemas.stream().anyMatch(schema -> schema.has("properties") || schema.has("required"));
        boolean hasOthers = !isClosed && !document.alternatives(others).isEmpty();
        return new Members(names, document.required(schemas), hasOthers ? others : null, next) {
            @Override
            int member(String name, int then) {
                return value(document.member(schemas, name), then);
            }
        }.open();
    }

    /** Builds the members of an object. A state is determined by the members that may still follow. */
    private abstract class Members {
        private final List<String> names;
        private final Set<String> required;
        private final List<JsonNode> others;
        private final int next;
        private final boolean isUnordered;
        /** The states after a member, by the members that may still follow. */
        private final Map<BitSet, Integer> behind = new HashMap<>();

        private final Map<List<Object>, Integer> members = new HashMap<>();
        private Automaton otherNames;

        /** @param others the schemas of members that the schema does not name; null if such members are not allowed */
        Members(List<String> names, Set<String> required, List<JsonNode> others, int next) {
            this.names = names;
            this.required = required;
            this.others = others;
            this.next = next;
            isUnordered = isEvery && names.size() <= MAX_UNORDERED;
        }

        abstract int member(String name, int then);

        int open() {
            BitSet all = new BitSet();
            all.set(0, names.size());
            int open = graph.state();
            int content = graph.state();
            graph.edge(open, '{', content);
            if (mayEnd(all)) {
                graph.edge(content, '}', next);
            }
            enterMembers(content, all);
            return open;
        }

        private boolean mayEnd(BitSet left) {
            return left.stream().noneMatch(number -> required.contains(names.get(number)));
        }

        private int behind(BitSet left) {
            Integer known = behind.get(left);
            if (known != null) {
                return known;
            }
            int state = graph.state();
            behind.put(left, state);
            int comma = graph.state();
            graph.edge(state, ',', comma);
            if (mayEnd(left)) {
                graph.edge(state, '}', next);
            }
            int first = graph.state();
            enterMembers(first, left);
            graph.edge(comma, ' ', first);
            graph.enter(comma, first);
            return state;
        }

        private void enterMembers(int from, BitSet left) {
            for (int number = left.nextSetBit(0); number >= 0; number = left.nextSetBit(number + 1)) {
                BitSet rest = (BitSet) left.clone();
                if (isUnordered) {
                    rest.clear(number);
                } else {
                    rest.clear(0, number + 1);
                }
                graph.enter(from, named(number, rest));
                if (!isUnordered && required.contains(names.get(number))) {
                    break;
                }
            }
            if (others != null && (isEvery || mayEnd(left))) {
                graph.enter(from, other(isEvery ? left : new BitSet()));
            }
        }

        private int named(int number, BitSet rest) {
            List<Object> key = List.of(number, rest);
            Integer known = members.get(key);
            if (known == null) {
                String name = names.get(number);
                known = strings.of(Automata.makeString(name), colon(member(name, behind(rest))));
                members.put(key, known);
            }
            return known;
        }

        private int other(BitSet rest) {
            Integer known = members.get(List.<Object>of(rest));
            if (known == null) {
                if (otherNames == null) {
                    otherNames = otherNames();
                }
                int value = colon(value(others, behind(rest)));
                known = names.isEmpty() ? strings.ofLength(0, -1, value) : strings.of(otherNames, value);
                members.put(List.of(rest), known);
            }
            return known;
        }

        private Automaton otherNames() {
            Automaton named = Automata.makeStringUnion(
                    names.stream().map(BytesRef::new).sorted().toList());
            return Operations.determinize(
                    Operations.minus(Automata.makeAnyString(), named, MAX_OF_NAMES), MAX_OF_NAMES);
        }

        private int colon(int value) {
            int colon = graph.state();
            graph.edge(colon, ':', blank(value));
            return colon;
        }
    }
}
