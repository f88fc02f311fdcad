package dev.outpost.models.jinja;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/** Implements tests, such as {@code is defined}. */
final class Conditions {
    private Conditions() {}

    /** Implements {@code sameas}. Lists and mappings are compared by identity, other values by type and value. */
    private static boolean areSame(Object one, Object other) {
        boolean isObject = one instanceof Collection || one instanceof Map;
        return one == other || one != null && !isObject && one.equals(other);
    }

    static boolean test(String name, Object value, JinjaArguments given) {
        if (!given.named().isEmpty()) {
            throw new JinjaException("template: the test " + name + " has no argument "
                    + given.named().keySet().iterator().next() + " by name");
        }
        return switch (name) {
            case "defined" -> !(value instanceof Undefined);
            case "undefined" -> value instanceof Undefined;
            case "none" -> value == null;
            case "string" -> value instanceof String;
            case "boolean" -> value instanceof Boolean;
            case "true" -> Boolean.TRUE.equals(value);
            case "false" -> Boolean.FALSE.equals(value);
            case "integer" -> value instanceof Long || value instanceof BigInteger;
            case "float" -> value instanceof Double;
            case "number" -> JinjaValues.isNumber(value);
            case "mapping" -> value instanceof Map;
            case "sequence", "iterable" ->
                value instanceof String || value instanceof Collection || value instanceof Map;
            case "callable" -> value instanceof Callable;
            case "odd" -> JinjaValues.big(value).testBit(0);
            case "even" -> !JinjaValues.big(value).testBit(0);
            case "divisibleby" ->
                Arithmetic.apply("%", value, given.get(0, name)).equals(0L);
            case "lower" ->
                JinjaValues.text(value).equals(JinjaValues.text(value).toLowerCase(Locale.ROOT));
            case "upper" ->
                JinjaValues.text(value).equals(JinjaValues.text(value).toUpperCase(Locale.ROOT));
            case "in" -> JinjaValues.contains(given.get(0, name), value);
            case "sameas" -> areSame(value, given.get(0, name));
            case "eq", "equalto", "==" -> JinjaValues.areEqual(value, given.get(0, name));
            case "ne", "!=" -> !JinjaValues.areEqual(value, given.get(0, name));
            case "lt", "lessthan", "<" -> JinjaValues.compare(value, given.get(0, name)) < 0;
            case "le", "<=" -> JinjaValues.compare(value, given.get(0, name)) <= 0;
            case "gt", "greaterthan", ">" -> JinjaValues.compare(value, given.get(0, name)) > 0;
            case "ge", ">=" -> JinjaValues.compare(value, given.get(0, name)) >= 0;
            default -> throw new JinjaException("template: there is no test " + name);
        };
    }
}
