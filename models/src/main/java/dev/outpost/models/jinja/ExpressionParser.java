package dev.outpost.models.jinja;

import dev.outpost.models.jinja.Token.Kind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses expressions with Jinja's operator precedence. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", ">", "<=", ">=");
    private static final Set<String> SUMS = Set.of("+", "-");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "//", "%");
    /** The words that end a test instead of being its argument. */
    private static final Set<String> NO_ARGUMENT = Set.of("else", "or", "and", "is", "in", "not", "if");

    /** The maximum number of digits of an integer, as in Python. */
    private static final int MAX_DIGITS = 4300;

    private final List<Token> tokens;
    private int at;

    ExpressionParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token take() {
        return tokens.get(at++);
    }

    int place() {
        return at;
    }

    /** True if a name occurs between a position and the current one. */
    boolean hasName(String name, int from) {
        return tokens.subList(from, at).stream().anyMatch(token -> token.is(Kind.NAME, name));
    }

    boolean isName(String name) {
        return peek().is(Kind.NAME, name);
    }

    boolean isOperator(String operator) {
        return peek().is(Kind.OPERATOR, operator);
    }

    /** Consumes the next token if it has this kind and text. */
    boolean accept(Kind kind, String text) {
        boolean is = peek().is(kind, text);
        at += is ? 1 : 0;
        return is;
    }

    boolean acceptOperator(String operator) {
        return accept(Kind.OPERATOR, operator);
    }

    void expect(Kind kind, String text) {
        if (!accept(kind, text)) {
            throw JinjaException.at(peek().line(), "expected " + (text.isEmpty() ? kind : text) + ", got " + what());
        }
    }

    String name() {
        if (peek().kind() != Kind.NAME) {
            throw JinjaException.at(peek().line(), "expected a name, got " + what());
        }
        return take().text();
    }

    private String what() {
        return peek().text().isEmpty() ? peek().kind().toString() : peek().text();
    }

    /** Parses an expression, or several separated by commas as a tuple. */
    JinjaExpression tuple() {
        JinjaExpression first = expression();
        if (!isOperator(",")) {
            return first;
        }
        List<JinjaExpression> all = new ArrayList<>(List.of(first));
        while (acceptOperator(",") && peek().kind() != Kind.BLOCK_END && !isOperator(")")) {
            all.add(expression());
        }
        return variables -> new Tuple(values(all, variables));
    }

    /** Parses like {@link #tuple}, but does not consume {@code if}, which has another meaning in a loop. */
    JinjaExpression tupleWithoutCondition() {
        JinjaExpression first = or();
        if (!isOperator(",")) {
            return first;
        }
        List<JinjaExpression> all = new ArrayList<>(List.of(first));
        while (acceptOperator(",") && peek().kind() != Kind.BLOCK_END && !isName("if")) {
            all.add(or());
        }
        return variables -> new Tuple(values(all, variables));
    }

    private static JinjaExpression listOf(List<JinjaExpression> all) {
        return variables -> values(all, variables);
    }

    private static List<Object> values(List<JinjaExpression> all, Variables variables) {
        List<Object> values = new ArrayList<>();
        all.forEach(one -> values.add(one.value(variables)));
        return values;
    }

    JinjaExpression expression() {
        JinjaExpression value = or();
        while (accept(Kind.NAME, "if")) {
            JinjaExpression then = value;
            JinjaExpression condition = or();
            JinjaExpression otherwise = accept(Kind.NAME, "else") ? expression() : variables -> new Undefined("else");
            value = variables ->
                    JinjaValues.isTrue(condition.value(variables)) ? then.value(variables) : otherwise.value(variables);
        }
        return value;
    }

    /** Parses an expression without {@code if}. */
    JinjaExpression or() {
        JinjaExpression value = and();
        while (accept(Kind.NAME, "or")) {
            JinjaExpression left = value;
            JinjaExpression right = and();
            value = variables -> {
                Object one = left.value(variables);
                return JinjaValues.isTrue(one) ? one : right.value(variables);
            };
        }
        return value;
    }

    private JinjaExpression and() {
        JinjaExpression value = not();
        while (accept(Kind.NAME, "and")) {
            JinjaExpression left = value;
            JinjaExpression right = not();
            value = variables -> {
                Object one = left.value(variables);
                return JinjaValues.isTrue(one) ? right.value(variables) : one;
            };
        }
        return value;
    }

    private JinjaExpression not() {
        if (accept(Kind.NAME, "not")) {
            JinjaExpression value = not();
            return variables -> !JinjaValues.isTrue(value.value(variables));
        }
        return comparison();
    }

    /** Parses comparisons. {@code a < b < c} is true if both hold. */
    private JinjaExpression comparison() {
        JinjaExpression first = sum();
        JinjaExpression left = first;
        JinjaExpression all = null;
        for (String operator = comparisonOperator(); operator != null; operator = comparisonOperator()) {
            JinjaExpression a = left;
            JinjaExpression b = sum();
            String how = operator;
            JinjaExpression holds = variables -> Arithmetic.compare(how, a.value(variables), b.value(variables));
            JinjaExpression before = all;
            all = before == null
                    ? holds
                    : variables -> JinjaValues.isTrue(before.value(variables)) ? holds.value(variables) : Boolean.FALSE;
            left = b;
        }
        return all == null ? first : all;
    }

    private String comparisonOperator() {
        if (peek().kind() == Kind.OPERATOR && COMPARISONS.contains(peek().text())) {
            return take().text();
        }
        if (accept(Kind.NAME, "in")) {
            return "in";
        }
        if (isName("not") && tokens.get(at + 1).is(Kind.NAME, "in")) {
            at += 2;
            return "not in";
        }
        return null;
    }

    private interface Level {
        JinjaExpression parse();
    }

    private JinjaExpression binary(Set<String> operators, Level next) {
        JinjaExpression value = next.parse();
        while (peek().kind() == Kind.OPERATOR && operators.contains(peek().text())) {
            JinjaExpression left = value;
            String operator = take().text();
            JinjaExpression right = next.parse();
            value = variables -> Arithmetic.apply(operator, left.value(variables), right.value(variables));
        }
        return value;
    }

    private JinjaExpression sum() {
        return binary(SUMS, () -> binary(Set.of("~"), () -> binary(PRODUCTS, this::power)));
    }

    private JinjaExpression power() {
        return binary(Set.of("**"), () -> unary(true));
    }

    private JinjaExpression unary(boolean withFilters) {
        if (acceptOperator("-")) {
            JinjaExpression value = unary(false);
            return filters(variables -> Arithmetic.negative(value.value(variables)));
        }
        if (acceptOperator("+")) {
            JinjaExpression value = unary(false);
            return filters(variables -> Arithmetic.positive(value.value(variables)));
        }
        JinjaExpression value = postfix(primary());
        return withFilters ? filters(value) : value;
    }

    private JinjaExpression primary() {
        Token token = take();
        return switch (token.kind()) {
            case NAME -> named(token.text());
            case STRING -> string(token);
            case INTEGER -> constant(whole(token));
            case FLOAT -> constant(Double.parseDouble(token.text()));
            case OPERATOR -> bracketed(token);
            default -> throw JinjaException.at(token.line(), "expected an expression, got " + token.kind());
        };
    }

    private static Object whole(Token token) {
        if (token.text().length() > MAX_DIGITS) {
            throw JinjaException.at(token.line(), "an integer has more than " + MAX_DIGITS + " digits");
        }
        return JinjaValues.whole(new BigInteger(token.text()));
    }

    private static JinjaExpression constant(Object value) {
        return variables -> value;
    }

    private static JinjaExpression named(String name) {
        return switch (name) {
            case "true", "True" -> constant(true);
            case "false", "False" -> constant(false);
            case "none", "None" -> constant(null);
            default -> variables -> variables.get(name);
        };
    }

    private JinjaExpression string(Token first) {
        StringBuilder text = new StringBuilder(first.text());
        while (peek().kind() == Kind.STRING) {
            text.append(take().text());
        }
        return constant(text.toString());
    }

    private JinjaExpression bracketed(Token open) {
        switch (open.text()) {
            case "(" -> {
                JinjaExpression within = acceptOperator(")") ? null : tuple();
                if (within == null) {
                    return constant(new Tuple(List.of()));
                }
                expect(Kind.OPERATOR, ")");
                return within;
            }
            case "[" -> {
                List<JinjaExpression> all = new ArrayList<>();
                while (!acceptOperator("]")) {
                    all.add(expression());
                    if (!isOperator("]")) {
                        expect(Kind.OPERATOR, ",");
                    }
                }
                return listOf(all);
            }
            case "{" -> {
                return mapping();
            }
            default -> throw JinjaException.at(open.line(), "expected an expression, got " + open.text());
        }
    }

    private JinjaExpression mapping() {
        List<JinjaExpression> keys = new ArrayList<>();
        List<JinjaExpression> values = new ArrayList<>();
        while (!acceptOperator("}")) {
            keys.add(expression());
            expect(Kind.OPERATOR, ":");
            values.add(expression());
            if (!isOperator("}")) {
                expect(Kind.OPERATOR, ",");
            }
        }
        return variables -> {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                JinjaValues.put(map, keys.get(i).value(variables), values.get(i).value(variables));
            }
            return map;
        };
    }

    private JinjaExpression postfix(JinjaExpression primary) {
        JinjaExpression value = primary;
        while (true) {
            if (acceptOperator(".")) {
                Token member = take();
                value = member.kind() == Kind.INTEGER
                        ? item(value, constant(whole(member)))
                        : attribute(value, member.text());
            } else if (acceptOperator("[")) {
                value = subscript(value);
            } else if (isOperator("(")) {
                value = call(value, peek().line());
            } else {
                return value;
            }
        }
    }

    private static JinjaExpression item(JinjaExpression value, JinjaExpression key) {
        return variables -> JinjaValues.member(value.value(variables), key.value(variables));
    }

    /** Returns the method of a value with this name, or else its member. Methods of mappings also come first, as in Jinja. */
    private static JinjaExpression attribute(JinjaExpression value, String name) {
        return variables -> {
            Object object = value.value(variables);
            Callable method = Methods.of(object, name);
            return method == null ? JinjaValues.member(object, name) : method;
        };
    }

    private JinjaExpression subscript(JinjaExpression value) {
        JinjaExpression from = isOperator(":") ? null : expression();
        if (acceptOperator("]")) {
            return item(value, from);
        }
        expect(Kind.OPERATOR, ":");
        JinjaExpression to = isOperator(":") || isOperator("]") ? null : expression();
        JinjaExpression step = acceptOperator(":") && !isOperator("]") ? expression() : null;
        expect(Kind.OPERATOR, "]");
        return variables -> JinjaValues.slice(
                value.value(variables), orNull(from, variables), orNull(to, variables), orNull(step, variables));
    }

    private static Object orNull(JinjaExpression expression, Variables variables) {
        return expression == null ? null : expression.value(variables);
    }

    /** The expressions of a call's arguments. */
    private record Given(List<JinjaExpression> all, Map<String, JinjaExpression> named) {
        JinjaArguments values(Variables variables) {
            List<Object> values = new ArrayList<>();
            all.forEach(one -> values.add(one.value(variables)));
            Map<String, Object> byName = new LinkedHashMap<>();
            named.forEach((name, one) -> byName.put(name, one.value(variables)));
            return new JinjaArguments(values, byName);
        }
    }

    private Given arguments() {
        List<JinjaExpression> all = new ArrayList<>();
        Map<String, JinjaExpression> named = new LinkedHashMap<>();
        expect(Kind.OPERATOR, "(");
        while (!acceptOperator(")")) {
            if (peek().kind() == Kind.NAME && tokens.get(at + 1).is(Kind.OPERATOR, "=")) {
                String name = name();
                take();
                named.put(name, expression());
            } else {
                all.add(expression());
            }
            if (!isOperator(")")) {
                expect(Kind.OPERATOR, ",");
            }
        }
        return new Given(all, named);
    }

    private JinjaExpression call(JinjaExpression function, int line) {
        Given given = arguments();
        return variables -> {
            variables.budget().step();
            if (!(function.value(variables) instanceof Callable callable)) {
                throw JinjaException.at(line, JinjaValues.describe(function.value(variables)) + " cannot be called");
            }
            JinjaArguments values = given.values(variables);
            return JinjaValues.of(callable.call(values.all(), values.named()));
        };
    }

    /** Parses the filters and tests that follow a value. */
    private JinjaExpression filters(JinjaExpression first) {
        JinjaExpression value = first;
        while (true) {
            if (isOperator("|")) {
                value = filter(value);
            } else if (accept(Kind.NAME, "is")) {
                value = test(value);
            } else {
                return value;
            }
        }
    }

    /** Parses the filters that follow a value, each after a bar. */
    JinjaExpression filter(JinjaExpression first) {
        JinjaExpression value = first;
        while (acceptOperator("|")) {
            JinjaExpression input = value;
            String name = name();
            Given given = isOperator("(") ? arguments() : new Given(List.of(), Map.of());
            value = variables -> Filters.apply(name, input.value(variables), given.values(variables));
        }
        return value;
    }

    private JinjaExpression test(JinjaExpression value) {
        boolean isNegated = accept(Kind.NAME, "not");
        String name = name();
        Given given;
        if (isOperator("(")) {
            given = arguments();
        } else {
            boolean hasArgument = peek().kind() == Kind.STRING
                    || peek().kind() == Kind.INTEGER
                    || peek().kind() == Kind.FLOAT
                    || isOperator("[")
                    || peek().kind() == Kind.NAME && !NO_ARGUMENT.contains(peek().text());
            given = new Given(hasArgument ? List.of(postfix(primary())) : List.of(), Map.of());
        }
        return variables -> Conditions.test(name, value.value(variables), given.values(variables)) != isNegated;
    }
}
