package dev.outpost.models.jinja;

import dev.outpost.models.jinja.JinjaStatement.Flow;
import dev.outpost.models.jinja.Token.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses statements, which write text. */
final class StatementParser {
    private final ExpressionParser parser;

    private StatementParser(List<Token> tokens) {
        parser = new ExpressionParser(tokens);
    }

    static List<JinjaStatement> parse(String template) {
        return new StatementParser(Lexer.tokens(template)).until(Set.of());
    }

    /** Parses statements up to a block with one of these names. The name is the next token to read. */
    private List<JinjaStatement> until(Set<String> ends) {
        List<JinjaStatement> all = new ArrayList<>();
        while (true) {
            Token token = parser.take();
            switch (token.kind()) {
                case DATA ->
                    all.add((variables, out) -> {
                        out.append(token.text());
                        return Flow.NEXT;
                    });
                case OUTPUT_BEGIN -> all.add(output());
                case BLOCK_BEGIN -> {
                    if (ends.contains(parser.peek().text())) {
                        return all;
                    }
                    all.add(block());
                }
                case END -> {
                    if (!ends.isEmpty()) {
                        throw JinjaException.at(token.line(), "expected " + String.join(" or ", ends));
                    }
                    return all;
                }
                default -> throw JinjaException.at(token.line(), "unexpected " + token.text());
            }
        }
    }

    private JinjaStatement output() {
        JinjaExpression value = parser.tuple();
        parser.expect(Kind.OUTPUT_END, "");
        return (variables, out) -> {
            out.append(JinjaValues.text(value.value(variables)));
            return Flow.NEXT;
        };
    }

    private void endOfBlock() {
        parser.expect(Kind.BLOCK_END, "");
    }

    private List<JinjaStatement> body(String end) {
        List<JinjaStatement> body = until(Set.of(end));
        parser.name();
        endOfBlock();
        return body;
    }

    private JinjaStatement block() {
        int line = parser.peek().line();
        String name = parser.name();
        return switch (name) {
            case "if" -> condition();
            case "for" -> loop();
            case "set" -> set();
            case "macro" -> macro();
            case "filter" -> filterBlock();
            case "break" -> jump(Flow.BREAK);
            case "continue" -> jump(Flow.CONTINUE);
            case "generation" -> {
                endOfBlock();
                yield inside(body("endgeneration"));
            }
            default -> throw JinjaException.at(line, "the statement " + name + " is not known");
        };
    }

    private static JinjaStatement inside(List<JinjaStatement> body) {
        return (variables, out) -> JinjaStatement.runAll(body, variables, out);
    }

    private JinjaStatement jump(Flow flow) {
        endOfBlock();
        return (variables, out) -> flow;
    }

    private JinjaStatement condition() {
        JinjaExpression condition = parser.tuple();
        endOfBlock();
        List<JinjaStatement> then = until(Set.of("elif", "else", "endif"));
        String next = parser.name();
        List<JinjaStatement> otherwise = switch (next) {
            case "elif" -> List.of(condition());
            case "else" -> {
                endOfBlock();
                yield body("endif");
            }
            default -> {
                endOfBlock();
                yield List.of();
            }
        };
        return (variables, out) -> JinjaStatement.runAll(
                JinjaValues.isTrue(condition.value(variables)) ? then : otherwise, variables, out);
    }

    private List<String> names() {
        boolean isInBrackets = parser.acceptOperator("(");
        List<String> names = new ArrayList<>(List.of(parser.name()));
        while (parser.acceptOperator(",")) {
            names.add(parser.name());
        }
        if (isInBrackets) {
            parser.expect(Kind.OPERATOR, ")");
        }
        return names;
    }

    private static void assign(List<String> names, Object value, Variables variables) {
        if (names.size() == 1) {
            variables.set(names.getFirst(), value);
            return;
        }
        List<Object> values = JinjaValues.iterate(value);
        if (values.size() != names.size()) {
            throw new JinjaException(
                    "template: " + names.size() + " names are set, and there are " + values.size() + " values");
        }
        for (int i = 0; i < names.size(); i++) {
            variables.set(names.get(i), values.get(i));
        }
    }

    private JinjaStatement loop() {
        List<String> names = names();
        parser.expect(Kind.NAME, "in");
        JinjaExpression all = parser.tupleWithoutCondition();
        JinjaExpression filter = parser.accept(Kind.NAME, "if") ? parser.expression() : null;
        endOfBlock();
        List<JinjaStatement> body = until(Set.of("else", "endfor"));
        boolean hasElse = parser.name().equals("else");
        endOfBlock();
        List<JinjaStatement> otherwise = hasElse ? body("endfor") : List.of();
        return (variables, out) -> {
            List<Object> values = JinjaValues.iterate(all.value(variables));
            if (filter != null) {
                values.removeIf(value -> {
                    Variables own = variables.within();
                    assign(names, value, own);
                    return !JinjaValues.isTrue(filter.value(own));
                });
            }
            if (values.isEmpty()) {
                return JinjaStatement.runAll(otherwise, variables, out);
            }
            run(names, values, body, variables, out);
            return Flow.NEXT;
        };
    }

    private static void run(
            List<String> names,
            List<Object> values,
            List<JinjaStatement> body,
            Variables variables,
            StringBuilder out) {
        for (int index = 0; index < values.size(); index++) {
            Variables own = variables.within();
            own.set("loop", loopVariable(values, index));
            assign(names, values.get(index), own);
            if (JinjaStatement.runAll(body, own, out) == Flow.BREAK) {
                return;
            }
        }
    }

    private static Map<Object, Object> loopVariable(List<Object> values, int index) {
        int size = values.size();
        Map<Object, Object> loop = new LinkedHashMap<>();
        loop.put("index", index + 1L);
        loop.put("index0", (long) index);
        loop.put("revindex", (long) size - index);
        loop.put("revindex0", size - index - 1L);
        loop.put("first", index == 0);
        loop.put("last", index == size - 1);
        loop.put("length", (long) size);
        if (index > 0) {
            loop.put("previtem", values.get(index - 1));
        }
        if (index < size - 1) {
            loop.put("nextitem", values.get(index + 1));
        }
        Callable cycle = (all, named) -> all.get(index % all.size());
        loop.put("cycle", cycle);
        return loop;
    }

    private JinjaStatement set() {
        List<String> names = names();
        if (parser.acceptOperator(".")) {
            return setMember(names.getFirst(), parser.name());
        }
        if (parser.acceptOperator("=")) {
            JinjaExpression value = parser.tuple();
            endOfBlock();
            return (variables, out) -> {
                assign(names, value.value(variables), variables);
                return Flow.NEXT;
            };
        }
        return setBlock(names);
    }

    private JinjaStatement setBlock(List<String> names) {
        String written = "the text of the block";
        JinjaExpression value = parser.filter(variables -> variables.get(written));
        endOfBlock();
        List<JinjaStatement> body = body("endset");
        return (variables, out) -> {
            Variables own = variables.within();
            own.set(written, text(body, own));
            assign(names, value.value(own), variables);
            return Flow.NEXT;
        };
    }

    private static String text(List<JinjaStatement> body, Variables variables) {
        StringBuilder text = new StringBuilder();
        JinjaStatement.runAll(body, variables, text);
        return text.toString();
    }

    private JinjaStatement setMember(String name, String member) {
        parser.expect(Kind.OPERATOR, "=");
        JinjaExpression value = parser.tuple();
        endOfBlock();
        return (variables, out) -> {
            if (!(variables.get(name) instanceof Namespace namespace)) {
                throw new JinjaException("template: " + name + " is no namespace, so its " + member + " cannot be set");
            }
            namespace.put(member, value.value(variables));
            return Flow.NEXT;
        };
    }

    private JinjaStatement filterBlock() {
        String name = parser.name();
        endOfBlock();
        List<JinjaStatement> body = body("endfilter");
        return (variables, out) -> {
            Object text = text(body, variables.within());
            out.append(JinjaValues.text(Filters.apply(name, text, JinjaArguments.NONE)));
            return Flow.NEXT;
        };
    }

    private JinjaStatement macro() {
        String name = parser.name();
        Map<String, JinjaExpression> parameters = new LinkedHashMap<>();
        parser.expect(Kind.OPERATOR, "(");
        while (!parser.acceptOperator(")")) {
            String parameter = parser.name();
            parameters.put(parameter, parser.acceptOperator("=") ? parser.expression() : null);
            if (!parser.isOperator(")")) {
                parser.expect(Kind.OPERATOR, ",");
            }
        }
        endOfBlock();
        int begin = parser.place();
        List<JinjaStatement> body = body("endmacro");
        Macro written =
                new Macro(name, parameters, body, parser.hasName("varargs", begin), parser.hasName("kwargs", begin));
        return (variables, out) -> {
            Callable macro = (given, named) -> expand(written, variables, new JinjaArguments(given, named));
            variables.set(name, macro);
            return Flow.NEXT;
        };
    }

    /**
     * A macro of a template.
     *
     * @param takesMore true if its body uses {@code varargs}, the extra positional arguments
     * @param takesNames true if its body uses {@code kwargs}, the extra named arguments
     */
    private record Macro(
            String name,
            Map<String, JinjaExpression> parameters,
            List<JinjaStatement> body,
            boolean takesMore,
            boolean takesNames) {
        void setOthers(JinjaArguments given, Variables own) {
            List<String> names = List.copyOf(parameters.keySet());
            int count = Math.min(names.size(), given.all().size());
            Map<String, Object> byName = new LinkedHashMap<>(given.named());
            if (takesNames) {
                byName.keySet().retainAll(names);
            }
            List<Object> known = takesMore ? given.all().subList(0, count) : given.all();
            new JinjaArguments(known, byName).checked("the macro " + name, names);
            if (takesMore) {
                own.set(
                        "varargs",
                        new Tuple(List.copyOf(
                                given.all().subList(count, given.all().size()))));
            }
            if (takesNames) {
                Map<Object, Object> others = new LinkedHashMap<>(given.named());
                others.keySet().removeAll(names);
                own.set("kwargs", others);
            }
        }
    }

    private static String expand(Macro macro, Variables variables, JinjaArguments given) {
        Variables own = variables.within();
        macro.setOthers(given, own);
        int place = 0;
        for (Map.Entry<String, JinjaExpression> parameter : macro.parameters.entrySet()) {
            String name = parameter.getKey();
            JinjaExpression standard = parameter.getValue();
            own.set(
                    name,
                    given.has(place, name)
                            ? given.get(place, name, null)
                            : standard == null ? new Undefined(name) : standard.value(own));
            place++;
        }
        own.budget().enter();
        try {
            return text(macro.body, own);
        } finally {
            own.budget().leave();
        }
    }
}
