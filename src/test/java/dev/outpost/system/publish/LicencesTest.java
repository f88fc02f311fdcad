package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shipped parts of others are listed with their licences, and each licence is one that we may ship under. */
class LicencesTest {
    @Test
    void everyListedLicenceIsAllowed() {
        assertEquals(List.of(), ThirdPartyList.committed().forbidden());
    }

    @Test
    void anArtefactWithoutAnAllowedLicenceIsFound() {
        var licences = new TreeMap<>(
                Map.of("a:free 1", "GPL-2.0-only | MIT", "b:copyleft 1", "GPL-3.0-only", "c:unknown 1", "none named"));
        assertEquals(
                List.of("b:copyleft 1  GPL-3.0-only", "c:unknown 1  none named"),
                new ThirdPartyList(licences).forbidden());
    }

    @Test
    void everyJarOfTheClassPathsIsListed() {
        Set<String> listed = ThirdPartyList.committed().licences().keySet().stream()
                .map(artefact -> artefact.substring(artefact.indexOf(':') + 1))
                .collect(Collectors.toSet());
        List<String> missing = Stream.concat(ClassPathJar.ofStarter().stream(), ClassPathJar.ofCommandLine().stream())
                .map(jar -> jar.artifact() + " " + jar.version())
                .distinct()
                .filter(jar -> !listed.contains(jar))
                .toList();
        assertEquals(List.of(), missing);
    }

    /** Also what the programs in the zip are packed with, which only publishing lists. */
    @Test
    @Tag("full")
    void listIsThatOfThePublishedParts(@TempDir Path folder) throws Exception {
        ExternalProgram.in(folder, "unzip", "-q", Publication.shared().zip().toString())
                .run();
        Path parts = folder.resolve("outpost-" + Publication.VERSION).resolve("parts");
        List<Path> lists =
                new ArrayList<>(Stream.of("cli", "models", "lan", "relay", "runtime", "onnx", "backend", "serving")
                        .map(program -> parts.resolve(program + ".json"))
                        .toList());
        try (Stream<Path> starter = Files.walk(Publication.shared().repository().resolve("dev/outpost/outpost"))) {
            lists.addAll(starter.filter(file -> file.toString().endsWith("-cyclonedx.json"))
                    .toList());
        }
        assertEquals(9, lists.size(), lists::toString);
        ThirdPartyList published = ThirdPartyList.of(lists);
        Path made = Path.of("target", "THIRD-PARTY.txt");
        Files.writeString(made, published.text());
        assertEquals(List.of(), published.forbidden());
        assertTrue(
                published.text().equals(SourceTree.read("THIRD-PARTY.txt")),
                () -> "THIRD-PARTY.txt is another; what it has to be is in " + made.toAbsolutePath());
    }
}
