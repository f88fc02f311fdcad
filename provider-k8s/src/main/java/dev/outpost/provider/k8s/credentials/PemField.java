package dev.outpost.provider.k8s.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Function;

/**
 * A field of a kubeconfig that holds PEM.
 *
 * @param name the file, the entry and the field, for errors
 * @param pem the content of the field, or of the file that it names
 */
record PemField(String name, String pem) {

    /** Returns a field that holds the base64 of PEM, as {@code client-key-data} does. A plugin prints PEM itself. */
    static PemField ofData(String name, String data) {
        String text = data.strip();
        if (text.startsWith("-----")) {
            return new PemField(name, text);
        }
        try {
            return new PemField(name, new String(Base64.getMimeDecoder().decode(text), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(name + ": expected base64, got something else", failure);
        }
    }

    static PemField ofFile(String name, Path file) {
        try {
            return new PemField(name, Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException failure) {
            throw new IllegalArgumentException(name + ": the file " + file + " cannot be read: " + failure, failure);
        }
    }

    /** Applies a parser. Its errors begin with the name of the field. */
    <T> T read(Function<String, T> reader) {
        try {
            return reader.apply(pem);
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(name + ": " + failure.getMessage(), failure);
        }
    }

    @Override
    public String toString() {
        return "PemField[" + name + ", hidden]";
    }
}
