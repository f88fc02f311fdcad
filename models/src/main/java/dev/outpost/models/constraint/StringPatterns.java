package dev.outpost.models.constraint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.automaton.Automaton;
import org.jspecify.annotations.Nullable;

/** Converts the patterns, formats and lengths of strings in a schema to automata over code points. Not thread-safe. */
final class StringPatterns {
    static final int MAX_LENGTH = 1000;
    /** The maximum number of states of the intersection of patterns and lengths. */
    private static final int MAX_STATES = 20_000;

    private final SchemaDocument document;
    private final Effort effort;
    private final Map<List<String>, Automaton> known = new HashMap<>();

    StringPatterns(SchemaDocument document, Effort effort) {
        this.document = document;
        this.effort = effort;
    }

    /** Returns the deterministic automaton of the patterns, formats and lengths; null if there are neither patterns nor formats. */
    @Nullable
    Automaton automaton(List<ObjectNode> schemas) {
        List<String> key = new ArrayList<>();
        List<Automaton> parts = new ArrayList<>();
        for (ObjectNode schema : schemas) {
            if (schema.has("pattern")) {
                String pattern = schema.get("pattern").asText();
                key.add("pattern " + pattern);
                parts.add(
                        known.computeIfAbsent(List.of(key.getLast()), unseen -> PatternAutomaton.of(pattern, effort)));
            }
            if (schema.has("format")) {
                String format = schema.get("format").asText();
                Automaton texts = StringFormat.automaton(format);
                if (texts == null) {
                    throw SchemaDocument.refusal(
                            "the keyword \"format\" cannot be enforced with the value \"" + format + "\"");
                }
                key.add("format " + format);
                parts.add(texts);
            }
        }
        if (parts.isEmpty()) {
            return null;
        }
        int min = Math.max(0, document.bound(schemas, "minLength", MAX_LENGTH));
        int max = document.bound(schemas, "maxLength", MAX_LENGTH);
        if (min > 0 || max >= 0) {
            key.add(min + " to " + max);
            parts.add(ofLength(min, max));
        }
        Automaton made = known.get(key);
        if (made == null) {
            made = all(parts);
            known.put(List.copyOf(key), made);
        }
        return made;
    }

    /** @param max −1 for any length */
    private static Automaton ofLength(int min, int max) {
        Automaton texts = new Automaton();
        int last = max < 0 ? min : max;
        for (int length = 0; length <= last; length++) {
            texts.createState();
            texts.setAccept(length, length >= min);
        }
        for (int length = 0; length < last; length++) {
            texts.addTransition(length, length + 1, 0, Character.MAX_CODE_POINT);
        }
        if (max < 0) {
            texts.addTransition(last, last, 0, Character.MAX_CODE_POINT);
        }
        texts.finishState();
        return texts;
    }

    private Automaton all(List<Automaton> parts) {
        Automaton all = parts.getFirst();
        for (Automaton part : parts.subList(1, parts.size())) {
            all = Deterministic.both(all, part, MAX_STATES, effort);
        }
        return all;
    }

    /** Returns true if a text satisfies the lengths, patterns and formats of all schemas. */
    boolean matches(List<ObjectNode> schemas, String text) {
        int length = text.codePointCount(0, text.length());
        int max = document.bound(schemas, "maxLength", Integer.MAX_VALUE);
        if (length < document.bound(schemas, "minLength", Integer.MAX_VALUE) || max >= 0 && length > max) {
            return false;
        }
        Automaton automaton = automaton(schemas);
        effort.spend(10L * length);
        return automaton == null || Deterministic.accepts(automaton, text);
    }
}
