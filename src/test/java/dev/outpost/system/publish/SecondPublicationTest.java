package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishes again, from another folder and, if GnuPG is installed, with a key. */
@Tag("full")
class SecondPublicationTest {
    /** The form in which a repository writes the time of a snapshot. */
    private static final Pattern SNAPSHOT_TIME = Pattern.compile("\\d{8}\\.\\d{6}-\\d+");

    @TempDir
    static Path home;

    private static Optional<String> key;
    private static Publication second;

    @BeforeAll
    static void publish() throws Exception {
        key = KeyRing.create(home);
        String[] options = key.map(id -> new String[] {"--key", id}).orElse(new String[0]);
        second = Publication.publish("another-folder", Map.of("GNUPGHOME", home.toString()), options);
    }

    @Test
    void twoBuildsInTwoFoldersGiveTheSameBytes() throws Exception {
        Map<String, Path> first = built(Publication.shared());
        Map<String, Path> again = built(second);
        assertEquals(first.keySet(), again.keySet());
        List<String> different = new ArrayList<>();
        for (Map.Entry<String, Path> file : first.entrySet()) {
            Path other = again.get(file.getKey());
            if (Files.mismatch(file.getValue(), other) >= 0) {
                different.addAll(ArchiveContents.differences(file.getKey(), file.getValue(), other));
            }
        }
        assertEquals(List.of(), different);
    }

    @Test
    void everyFileHasASignatureThatVerifies() throws Exception {
        assumeTrue(key.isPresent(), "there is no gpg on the PATH");
        List<Path> files = second.files().stream()
                .filter(file -> file.startsWith(second.repository().resolve("dev")))
                .filter(file -> file.toString().matches(".*\\.(jar|pom|json|zip)"))
                .toList();
        assertTrue(files.size() > 40, files::toString);
        for (Path file : files) {
            ExternalProgram.in(home, "gpg", "--batch", "--verify", file + ".asc", file.toString())
                    .with("GNUPGHOME", home.toString())
                    .run();
        }
    }

    /** The built files, by names without times; a signature and the list of snapshots have their own. */
    private static Map<String, Path> built(Publication publication) throws IOException {
        Map<String, Path> built = new TreeMap<>();
        for (Path file : publication.files()) {
            String name = publication.repository().relativize(file).toString();
            if (!name.contains("maven-metadata") && !name.contains(".asc") && !name.matches(".*\\.(md5|sha\\d+)")) {
                built.put(SNAPSHOT_TIME.matcher(name).replaceAll("SNAPSHOT"), file);
            }
        }
        return built;
    }

    /** A key ring with one key that needs no passphrase. */
    private static final class KeyRing {
        /** The key's fingerprint; empty without GnuPG. */
        static Optional<String> create(Path home) throws IOException, InterruptedException {
            if (!ExternalProgram.in(home, "sh", "-c", "command -v gpg").succeeds()) {
                return Optional.empty();
            }
            gpg(
                    home,
                    "--batch",
                    "--passphrase",
                    "",
                    "--quick-generate-key",
                    "test@example.invalid",
                    "rsa3072",
                    "sign",
                    "1d");
            return gpg(home, "--batch", "--with-colons", "--list-secret-keys")
                    .lines()
                    .filter(line -> line.startsWith("fpr:"))
                    .map(line -> line.split(":")[9])
                    .findFirst();
        }

        private static String gpg(Path home, String... arguments) throws IOException, InterruptedException {
            return ExternalProgram.in(home, "gpg")
                    .with(List.of(arguments))
                    .with("GNUPGHOME", home.toString())
                    .run()
                    .out();
        }
    }
}
