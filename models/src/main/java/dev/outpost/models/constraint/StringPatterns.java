package dev.outpost.models.constraint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.jspecify.annotations.Nullable;

/** The patterns, formats and lengths of strings in a schema, as automata over code points. One thread. */
final class StringPatterns {
    static final int MOST_LENGTH = 1000;
    private static final int MOST_WORK = 1_000_000;

    private final SchemaDocument document;
    private final Map<List<String>, Automaton> known = new HashMap<>();

    StringPatterns(SchemaDocument document) {
        this.document = document;
    }

    /** Returns the deterministic automaton of the patterns, formats and lengths; null where there are neither patterns nor formats. */
    @Nullable
    Automaton automaton(List<ObjectNode> schemas) {
        List<String> key = new ArrayList<>();
        List<Automaton> parts = new ArrayList<>();
        for (ObjectNode schema : schemas) {
            if (schema.has("pattern")) {
                String pattern = schema.get("pattern").asText();
                key.add("pattern " + pattern);
                parts.add(known.computeIfAbsent(List.of(key.getLast()), unseen -> EcmaPattern.automaton(pattern)));
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
        int least = Math.max(0, document.bound(schemas, "minLength", MOST_LENGTH));
        int most = document.bound(schemas, "maxLength", MOST_LENGTH);
        if (least > 0 || most >= 0) {
            key.add(least + " to " + most);
            Automaton one = EcmaPattern.anyCharacter();
            parts.add(
                    most < 0
                            ? Operations.repeat(one, least)
                            : most < least ? Automata.makeEmpty() : Operations.repeat(one, least, most));
        }
        return known.computeIfAbsent(List.copyOf(key), unseen -> all(parts));
    }

    private static Automaton all(List<Automaton> parts) {
        Automaton all = parts.getFirst();
        for (Automaton part : parts.subList(1, parts.size())) {
            all = Operations.determinize(Operations.intersection(all, part), MOST_WORK);
        }
        return Operations.removeDeadStates(all);
    }

    /** Whether a text has the wanted lengths, patterns and formats. */
    boolean matches(List<ObjectNode> schemas, String text) {
        int length = text.codePointCount(0, text.length());
        int most = document.bound(schemas, "maxLength", Integer.MAX_VALUE);
        if (length < document.bound(schemas, "minLength", Integer.MAX_VALUE) || most >= 0 && length > most) {
            return false;
        }
        Automaton automaton = automaton(schemas);
        return automaton == null || new CharacterRunAutomaton(automaton).run(text);
    }
}
