package dev.outpost.models.jinja;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A template in the subset of Jinja that chat templates use, rendered like in transformers: with {@code trim_blocks} and
 * {@code lstrip_blocks}, {@code tojson} without HTML escapes, and the functions {@code raise_exception} and {@code
 * strftime_now}.
 *
 * <p>It supports output, {@code if}, {@code for} with {@code if} and {@code else}, {@code break} and {@code continue}, {@code set} with its
 * block, namespaces, macros, {@code raw}, {@code filter} and {@code generation}. It also supports methods of Python's strings and mappings,
 * and the usual filters and tests. {@code include}, {@code import}, {@code extends}, {@code call} and {@code with} are refused by name. A
 * template can use only the given values, and its steps, depth and output are limited. Immutable and thread-safe.
 */
public final class JinjaTemplate {
    private final List<JinjaStatement> statements;
    private final Supplier<LocalDateTime> clock;

    private JinjaTemplate(List<JinjaStatement> statements, Supplier<LocalDateTime> clock) {
        this.statements = statements;
        this.clock = clock;
    }

    /** Parses a template. Fails with the line number if it is malformed or uses an unsupported feature. */
    public static JinjaTemplate parse(String text) {
        return parse(text, () -> LocalDateTime.now(ZoneId.systemDefault()));
    }

    /** @param clock returns the time for {@code strftime_now} */
    public static JinjaTemplate parse(String text, Supplier<LocalDateTime> clock) {
        return new JinjaTemplate(StatementParser.parse(text), clock);
    }

    /**
     * Renders the template with values: strings, numbers, booleans, null, lists, and maps with strings as keys.
     *
     * @throws JinjaException if it fails, for example by its own {@code raise_exception}
     */
    public String render(Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(functions());
        values.forEach((name, value) -> all.put(name, JinjaValues.of(value)));
        StringBuilder out = new StringBuilder();
        JinjaStatement.runAll(statements, new Variables(all, new TemplateBudget()), out);
        return out.toString();
    }

    private Map<String, Callable> functions() {
        return Map.of(
                "namespace", (given, named) -> new Namespace(mapping("namespace", given, named)),
                "dict", (given, named) -> mapping("dict", given, named),
                "range", (given, named) -> range(given),
                "raise_exception",
                        (given, named) -> {
                            throw new JinjaException(
                                    "template: " + JinjaValues.text(given.isEmpty() ? "it fails" : given.getFirst()));
                        },
                "strftime_now",
                        (given, named) -> {
                            new JinjaArguments(given, named).checked("strftime_now", List.of("format"));
                            return DateFormat.format(
                                    clock.get(),
                                    JinjaValues.text(
                                            new JinjaArguments(given, named).required(0, "format", "strftime_now")));
                        });
    }

    /** Makes a mapping from a mapping or a list of pairs, followed by the named arguments. */
    private static Map<Object, Object> mapping(String function, List<Object> given, Map<String, Object> named) {
        if (given.size() > 1) {
            throw new JinjaException("template: " + function + " has at most 1 argument, got " + given.size());
        }
        Map<Object, Object> mapping = new LinkedHashMap<>();
        if (!given.isEmpty() && given.getFirst() instanceof Map<?, ?> map) {
            mapping.putAll(map);
        } else if (!given.isEmpty()) {
            for (Object one : JinjaValues.iterate(given.getFirst())) {
                List<Object> pair = JinjaValues.iterate(one);
                if (pair.size() != 2) {
                    throw new JinjaException(
                            "template: " + function + " needs pairs, got " + JinjaValues.describe(one));
                }
                JinjaValues.put(mapping, pair.get(0), pair.get(1));
            }
        }
        mapping.putAll(named);
        return mapping;
    }

    private static List<Object> range(List<Object> given) {
        if (given.isEmpty()) {
            throw new JinjaException("template: range needs an argument");
        }
        long from = given.size() == 1 ? 0 : JinjaValues.integer(given.get(0), "range's begin");
        long to = JinjaValues.integer(given.get(given.size() == 1 ? 0 : 1), "range's end");
        long step = given.size() > 2 ? JinjaValues.integer(given.get(2), "range's step") : 1;
        if (step == 0) {
            throw new JinjaException("template: range's step is 0");
        }
        TemplateBudget.requireSize((to - from) / step);
        List<Object> numbers = new ArrayList<>();
        for (long number = from; step > 0 ? number < to : number > to; number += step) {
            numbers.add(number);
        }
        return numbers;
    }
}
