package dev.outpost.vocabulary;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The signatures of all ops, in {@code signatures.txt}: one overload a line. */
final class SignatureFile {
    private SignatureFile() {}

    static Map<String, Signatures> read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(SignatureFile.class.getResourceAsStream("signatures.txt")),
                StandardCharsets.UTF_8))) {
            return lines
                    .lines()
                    .map(Signature::parse)
                    .collect(Collectors.groupingBy(SignatureFile::name, TreeMap::new, Collectors.toList()))
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
}
