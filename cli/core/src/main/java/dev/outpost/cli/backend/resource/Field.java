package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.NearestName;
import dev.outpost.provider.support.Durations;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value of a kind, which an option or a file gives. Each value has one form in which values are compared:
 * {@code 5m} and {@code PT5M} are the same time span.
 *
 * @param name the name in files
 * @param source the name in the records of the backend
 * @param type the type in the record of the request
 * @param isRequired true if a new resource needs it
 * @param preset the value that a request has for an absent one; null if the backend sets it
 */
record Field(
        String name,
        String source,
        Type type,
        boolean isRequired,
        @Nullable String preset,
        String description) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int LONGEST_NUMBER = 40;
    private static final String LOCAL = "";

    /** Lists whose values may have commas, so that the option is repeated for each. */
    private static final Set<String> WHOLE = Set.of("arguments", "inputs", "outputs");

    /** Returns the field for a component of a request. */
    static Field of(Class<? extends Record> request, String name, String description) {
        RecordComponent component = Arrays.stream(request.getRecordComponents())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(request + " has no " + name));
        boolean isRequired = !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        return new Field(name, name, component.getGenericType(), isRequired, null, description);
    }

    static Field text(String name, String description) {
        return new Field(name, name, String.class, false, null, description);
    }

    /** Returns the field under the name that it has in files. */
    Field called(String other) {
        return new Field(other, source, type, isRequired, preset, description);
    }

    /** Returns the field as one that a new resource may lack, because requests have a value for it. */
    Field orElse(String value) {
        return new Field(name, source, type, false, value, description);
    }

    /** Returns the option of the command line, such as {@code --per-hour}. */
    String option() {
        return "--" + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Returns a field that only this program knows: the backend gets what it leads to. */
    static Field local(String name, Type type, String description) {
        return new Field(name, LOCAL, type, false, null, description);
    }

    boolean isLocal() {
        return source.equals(LOCAL);
    }

    boolean isFlag() {
        return type == Boolean.class;
    }

    boolean isList() {
        return container() == List.class;
    }

    boolean isMap() {
        return container() == Map.class;
    }

    private @Nullable Type container() {
        return type instanceof ParameterizedType generic ? generic.getRawType() : null;
    }

    private Type element() {
        Type[] all = ((ParameterizedType) type).getActualTypeArguments();
        return all[all.length - 1];
    }

    /** Returns the words for the help: the possible values, or the form of the value. */
    String label() {
        Type of = isList() || isMap() ? element() : type;
        if (isMap()) {
            return "NAME=VALUE";
        }
        if (of instanceof Class<?> constant && constant.isEnum()) {
            return Arrays.stream(constant.getEnumConstants())
                    .map(one -> ((Enum<?>) one).name().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining("|"));
        }
        if (of instanceof Class<?> part && part.isRecord()) {
            return Arrays.stream(part.getRecordComponents())
                    .map(one -> one.getName().toUpperCase(Locale.ROOT))
                    .collect(Collectors.joining("="));
        }
        return Map.<Type, String>of(
                        Integer.class, "NUMBER",
                        Long.class, "NUMBER",
                        BigDecimal.class, "AMOUNT",
                        Duration.class, "DURATION",
                        Instant.class, "TIME",
                        Boolean.class, "true|false",
                        Path.class, "FILE")
                .getOrDefault(of, "TEXT");
    }

    /** Returns the value of an option that was given once or several times. */
    JsonNode parse(List<String> texts) {
        if (isList()) {
            ArrayNode all = JSON.arrayNode();
            boolean isSplit = !WHOLE.contains(name);
            texts.stream()
                    .flatMap(text -> isSplit ? Arrays.stream(text.split(",")) : List.of(text).stream())
                    .filter(text -> !text.isEmpty())
                    .forEach(all::add);
            return parse(all);
        }
        if (isMap()) {
            ObjectNode all = JSON.objectNode();
            for (String text : texts) {
                if (text.indexOf('=') < 1) {
                    throw new IllegalArgumentException("expected NAME=VALUE, got \"" + text + "\"");
                }
                all.put(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
            }
            return all;
        }
        return parse(TextNode.valueOf(texts.getLast()));
    }

    /**
     * Returns a value in the form in which values are compared.
     *
     * @throws IllegalArgumentException if it is of another type; the message names the expected form
     */
    JsonNode parse(JsonNode value) {
        JsonNode parsed = parse(type, value);
        if (name.equals("gpus") && parsed.isArray()) {
            ArrayNode all = JSON.arrayNode();
            parsed.forEach(one -> all.add(gpu(one.asText())));
            return all;
        }
        boolean isGpu = source.equals("gpu") && parsed.isTextual();
        return isGpu ? TextNode.valueOf(gpu(parsed.asText())) : parsed;
    }

    /** Returns the name that the backend gives to a GPU. A GPU that only the backend knows keeps its name. */
    private static String gpu(String called) {
        return GpuCatalogue.configured().types().stream()
                .filter(type -> type.isCalled(called))
                .map(GpuType::name)
                .findFirst()
                .orElse(called);
    }

    private static JsonNode parse(Type type, JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return NullNode.instance;
        }
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return generic.getRawType() == Map.class ? map(element, value) : list(element, value);
        }
        Class<?> of = (Class<?>) type;
        if (of.isRecord()) {
            return part(of, value);
        }
        if (!value.isValueNode()) {
            throw new IllegalArgumentException("expected one value, got " + (value.isArray() ? "a list" : "a map"));
        }
        return scalar(of, value.isNumber() ? value.decimalValue().toPlainString() : value.asText());
    }

    private static JsonNode list(Type element, JsonNode value) {
        if (!value.isArray()) {
            throw new IllegalArgumentException("expected a list, got " + shown(value));
        }
        ArrayNode all = JSON.arrayNode();
        if (element instanceof Class<?> constant && constant.isEnum()) {
            TreeSet<Integer> places = new TreeSet<>();
            value.forEach(one -> places.add(constant(constant, one.asText()).ordinal()));
            places.forEach(place -> all.add(((Enum<?>) constant.getEnumConstants()[place]).name()));
        } else {
            value.forEach(one -> all.add(parse(element, one)));
        }
        return all;
    }

    private static JsonNode map(Type element, JsonNode value) {
        if (!value.isObject()) {
            throw new IllegalArgumentException("expected a map of names and values, got " + shown(value));
        }
        ObjectNode all = JSON.objectNode();
        new java.util.TreeMap<>(
                        value.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .forEach((key, one) -> all.set(key, parse(element, one)));
        return all;
    }

    /** Reads a record from a map, or from a text such as {@code 80=notify}. */
    private static JsonNode part(Class<?> type, JsonNode value) {
        RecordComponent[] components = type.getRecordComponents();
        List<String> names =
                Arrays.stream(components).map(RecordComponent::getName).toList();
        ObjectNode all = JSON.objectNode();
        String[] texts = value.isValueNode() ? value.asText().split("=", components.length) : new String[0];
        if (value.isArray() || value.isValueNode() && texts.length != components.length) {
            throw new IllegalArgumentException("expected " + String.join("=", names) + ", got " + shown(value));
        }
        if (value.isObject()) {
            value.fieldNames().forEachRemaining(name -> requireKnown("field", name, names));
        }
        for (int i = 0; i < components.length; i++) {
            JsonNode one = value.isObject() ? value.path(names.get(i)) : TextNode.valueOf(texts[i]);
            Type boxed = components[i].getType() == int.class ? Integer.class : components[i].getGenericType();
            all.set(names.get(i), parse(boxed, one));
        }
        return all;
    }

    private static JsonNode scalar(Class<?> type, String text) {
        if (type.isEnum()) {
            return TextNode.valueOf(constant(type, text).name());
        }
        try {
            if (type == Integer.class || type == Long.class) {
                return LongNode.valueOf(number(text).longValueExact());
            }
            if (type == BigDecimal.class) {
                BigDecimal bare = number(text).stripTrailingZeros();
                return DecimalNode.valueOf(bare.setScale(Math.max(0, bare.scale())));
            }
            if (type == Duration.class) {
                return TextNode.valueOf(Durations.parse(text).toString());
            }
            if (type == Instant.class) {
                return TextNode.valueOf(Instant.parse(text).toString());
            }
        } catch (ArithmeticException | NumberFormatException ignored) {
            throw new IllegalArgumentException("expected a number, got " + quoted(text));
        } catch (DateTimeParseException ignored) {
            throw new IllegalArgumentException("expected a time such as 2027-01-31T00:00:00Z, got " + quoted(text));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(failure.getMessage() + ", got " + quoted(text));
        }
        if (type == Boolean.class) {
            return flag(text);
        }
        return TextNode.valueOf(text);
    }

    private static BigDecimal number(String text) {
        if (text.length() > LONGEST_NUMBER || !text.matches("[+-]?\\d+(\\.\\d+)?")) {
            throw new NumberFormatException();
        }
        return new BigDecimal(text);
    }

    private static JsonNode flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("expected true or false, got " + quoted(text));
        }
        return BooleanNode.valueOf(text.equals("true"));
    }

    private static Enum<?> constant(Class<?> type, String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        List<Enum<?>> all = Arrays.stream(type.getEnumConstants())
                .<Enum<?>>map(one -> (Enum<?>) one)
                .toList();
        return all.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("expected "
                        + all.stream()
                                .map(one -> one.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(" or "))
                        + ", got " + quoted(text)));
    }

    /** @throws IllegalArgumentException if a name is not among the known ones; the message names the nearest */
    static void requireKnown(String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            String sentence = NearestName.sentence(what, name, known);
            throw new IllegalArgumentException(
                    sentence.endsWith("?") ? sentence : sentence + " Known are " + String.join(", ", known) + ".");
        }
    }

    /** Returns a value for people. */
    static String shown(JsonNode value) {
        if (value.isArray()) {
            return value.isEmpty()
                    ? "none"
                    : Optional.of(value).stream()
                            .flatMap(all -> java.util.stream.StreamSupport.stream(all.spliterator(), false))
                            .map(Field::shown)
                            .collect(Collectors.joining(","));
        }
        if (value.isObject()) {
            return value.properties().stream()
                    .map(one -> one.getKey() + "=" + shown(one.getValue()))
                    .collect(Collectors.joining(" "));
        }
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asText("");
    }

    private static String quoted(String text) {
        return text.length() > 60 ? text.length() + " characters" : "\"" + text + "\"";
    }
}
