package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of expected results. {@code -Doutpost.golden=write} rewrites them; review the changes before you keep them.
 */
final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/golden");

    private Golden() {}

    static void check(String name, Object resource) {
        Path file = FOLDER.resolve(name + ".yaml");
        String yaml = Serialization.asYaml(resource);
        try {
            if ("write".equals(System.getProperty("outpost.golden"))) {
                Files.writeString(file, yaml);
            }
            assertEquals(Files.readString(file), yaml, name);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the contents of the files whose names begin with the given text. */
    static <T> List<T> read(String prefix, Class<T> type) {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .map(file -> Serialization.unmarshal(text(file), type))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
