package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The packages in the jars that users get. jars.txt lists them by module: a new package is added there by hand, so that code which only
 * verifies Outpost does not get in unnoticed.
 */
class JarContentsTest {
    private static final String LIST = "src/test/resources/publish/jars.txt";
    /** Modules that users do not get. */
    private static final List<String> NOT_SHIPPED = List.of("testing", "src", "examples", "bench", "packaging");

    private static final Pattern VERIFICATION = Pattern.compile(
            "dev/outpost/(torch|gpucheck|simulated|runner|progress|support/tests|stress|runtime/engine/comparison|cli/(parity|gpu|pack))/.*");

    @Test
    void eachPackageOfTheProductIsListed() throws IOException {
        SortedSet<String> found = new TreeSet<>();
        Path root = SourceTree.ROOT;
        try (Stream<Path> poms = Files.walk(root, 3)) {
            for (Path pom : (Iterable<Path>) poms.filter(file -> file.endsWith("pom.xml"))::iterator) {
                Path module = root.relativize(pom.getParent());
                if (!module.toString().isEmpty()
                        && !NOT_SHIPPED.contains(module.getName(0).toString())) {
                    addPackages(module, found);
                }
            }
        }
        Path proposal = Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("jars.txt"), String.join("\n", found) + "\n");
        assertEquals(
                SourceTree.read(LIST),
                Files.readString(proposal),
                () -> "packages differ from " + LIST + "; " + proposal + " has what is there now");
    }

    private static void addPackages(Path module, SortedSet<String> found) throws IOException {
        Path sources = SourceTree.ROOT.resolve(module).resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file).getParent())
                    .map(folder -> module + " " + folder.toString().replace('/', '.'))
                    .forEach(found::add);
        }
    }

    @Test
    void noListedPackageVerifiesOutpost() {
        List<String> verifying = SourceTree.read(LIST)
                .lines()
                .filter(line -> VERIFICATION
                        .matcher(line.split(" ")[1].replace('.', '/') + "/")
                        .matches())
                .toList();
        assertEquals(List.of(), verifying);
    }

    @Test
    @Tag("full")
    void noPublishedJarHasClassesThatVerifyOutpost() throws IOException {
        List<Path> archives = Publication.shared().files().stream()
                .filter(file -> file.toString().matches(".*(\\.jar|\\.zip)"))
                .toList();
        assertTrue(archives.size() > 20, () -> "too few archives were looked at: " + archives);
        for (Path archive : archives) {
            try (ZipFile zip = new ZipFile(archive.toFile())) {
                for (ZipEntry entry : Collections.list(zip.entries())) {
                    check(archive + "!" + entry.getName(), entry.getName());
                    if (entry.getName().endsWith(".jar")) {
                        checkNested(archive + "!" + entry.getName(), zip.getInputStream(entry));
                    }
                }
            }
        }
    }

    private static void checkNested(String archive, InputStream bytes) throws IOException {
        try (ZipInputStream nested = new ZipInputStream(bytes)) {
            for (ZipEntry entry = nested.getNextEntry(); entry != null; entry = nested.getNextEntry()) {
                check(archive + "!" + entry.getName(), entry.getName());
            }
        }
    }

    private static void check(String place, String entry) {
        assertTrue(!VERIFICATION.matcher(entry).matches(), place);
    }
}
