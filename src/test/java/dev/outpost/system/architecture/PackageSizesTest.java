package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.house.structure.PackageSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No package has more than thirty source files. Exceptions are listed in {@code package-sizes.txt}, each with its largest number of files
 * and a reason; they may only shrink, and one that is no longer needed must be removed.
 */
@Tag("quick")
class PackageSizesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final int MAX_FILES = 30;

    private record Exemption(int files, String name, String reason) {
        static Exemption of(String line) {
            String[] cells = line.split(" ", 3);
            return new Exemption(Integer.parseInt(cells[0]), cells[1], cells.length == 3 ? cells[2] : "");
        }
    }

    @Test
    void onlyTheListedPackagesAreLarge() throws IOException {
        Map<String, Integer> sizes = PackageSizes.of(ROOT);
        assertTrue(sizes.containsKey("dev.outpost.bench"), "modules outside of the ordinary build are read as well");
        Map<String, Integer> allowed = new TreeMap<>();
        listed().forEach(exemption -> allowed.put(exemption.name(), exemption.files()));
        Map<String, Integer> tooLarge = new TreeMap<>(sizes);
        tooLarge.entrySet().removeIf(entry -> entry.getValue() <= allowed.getOrDefault(entry.getKey(), MAX_FILES));
        assertEquals(Map.of(), tooLarge, "packages with more files than they may have");
    }

    @Test
    void everyExceptionIsNeededAndHasAReason() throws IOException {
        Map<String, Integer> sizes = PackageSizes.of(ROOT);
        for (Exemption exemption : listed()) {
            assertTrue(
                    sizes.getOrDefault(exemption.name(), 0) > MAX_FILES,
                    exemption.name() + " has at most " + MAX_FILES + " files and is still listed");
            assertFalse(exemption.reason().isBlank(), exemption.name() + " is listed without a reason");
        }
    }

    private static List<Exemption> listed() throws IOException {
        try (Stream<String> lines = Files.lines(ROOT.resolve("src/test/resources/architecture/package-sizes.txt"))) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Exemption::of)
                    .toList();
        }
    }
}
