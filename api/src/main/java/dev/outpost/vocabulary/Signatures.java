package dev.outpost.vocabulary;

import dev.outpost.types.OpException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All overloads of one op. */
record Signatures(String op, List<Signature> overloads) {
    /** NumPy's parameter names that PyTorch accepts. */
    private static final Map<String, String> OTHER_NAMES =
            Map.of("self", "input", "axis", "dim", "keepdims", "keepdim", "x", "input", "x1", "input", "x2", "other");

    /** Reads the signatures of all ops from {@code signatures.txt}, which has one overload per line. */
    static Map<String, Signatures> readAll() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Signatures.class.getResourceAsStream("signatures.txt")),
                StandardCharsets.UTF_8))) {
            return lines
                    .lines()
                    .map(Signature::parse)
                    .collect(Collectors.groupingBy(Signatures::name, TreeMap::new, Collectors.toList()))
                    .entrySet()
                    .stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> new Signatures(entry.getKey(), entry.getValue())));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String name(Signature signature) {
        return signature.text().substring(0, signature.text().indexOf('('));
    }

    /** Returns a call's keyword arguments by parameter name. Refuses unknown names, arguments given twice, and too many arguments. */
    Map<String, @Nullable Object> keywords(int placed, Map<String, ?> given) {
        refuseOut(given);
        int max = overloads.stream().mapToInt(Signature::placed).max().orElse(0);
        if (placed > max) {
            throw new OpException(op, "takes at most " + max + " arguments by place, got " + placed);
        }
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        given.forEach((name, value) -> named.put(parameter(name), value));
        named.keySet().forEach(name -> requireOnce(placed, name));
        return named;
    }

    private void refuseOut(Map<String, ?> given) {
        if (given.get("out") != null) {
            throw new OpException(op, "there is no out= here: use the result, or write it into a tensor by copy_");
        }
    }

    private String parameter(String name) {
        if (has(name)) {
            return name;
        }
        String other = OTHER_NAMES.get(name);
        if (other == null || !has(other)) {
            throw new OpException(op, "has no parameter '" + name + "', its signatures are " + texts());
        }
        return other;
    }

    boolean has(String name) {
        return overloads.stream().anyMatch(overload -> overload.has(name));
    }

    /** Refuses a keyword that a positional argument has bound already in every overload. */
    private void requireOnce(int placed, String name) {
        boolean isFree = overloads.stream().anyMatch(overload -> overload.isFree(name, placed));
        if (!isFree) {
            throw new OpException(op, "got '" + name + "' by its name and by its place");
        }
    }

    /** Returns the name in the signatures of the parameter at a position. A row may use another name for it. */
    String nameAt(int place, String name) {
        return has(name)
                ? name
                : overloads.stream()
                        .filter(overload -> overload.parameters().size() > place)
                        .map(overload -> overload.parameters().get(place).name())
                        .findFirst()
                        .orElse(name);
    }

    /** Returns the position of a parameter in the first overload that accepts the arguments, or -1 if it is not among them. */
    int placeOf(String name, List<?> given) {
        return overloads.stream()
                .filter(overload -> overload.takes(given))
                .mapToInt(overload -> overload.placeOf(name))
                .filter(place -> place >= 0 && place < given.size())
                .findFirst()
                .orElse(-1);
    }

    /** Returns the default of a parameter; null for None. */
    @Nullable
    Object defaultOf(String name) {
        if (!has(name)) {
            throw new IllegalStateException(op + ": its row reads '" + name + "', which is not in " + texts());
        }
        return overloads.stream()
                .flatMap(overload -> overload.parameters().stream())
                .filter(parameter -> parameter.name().equals(name) && parameter.byDefault() != null)
                .map(SignatureParameter::byDefault)
                .findFirst()
                .orElse(null);
    }

    List<String> texts() {
        return overloads.stream().map(Signature::text).toList();
    }
}
