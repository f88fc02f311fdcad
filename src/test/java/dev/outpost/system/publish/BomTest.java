package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM names the versions that these tests run with. */
class BomTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");

    /** A jar in a repository: .../group/artifact/version/artifact-version.jar. */
    private static final Pattern JAR = Pattern.compile("([^/]+)/([^/]+)/\\1-\\2[^/]*\\.jar$");

    @Test
    void versionsOfOthersAreThoseOfTheClassPath() throws Exception {
        Map<String, String> tested = tested();
        List<String> wrong = new ArrayList<>();
        named().forEach((artifact, version) -> {
            if (!artifact.startsWith("outpost") && !version.equals(tested.get(artifact))) {
                wrong.add(artifact + ": the BOM has " + version + ", the class path " + tested.get(artifact));
            }
        });
        assertEquals(List.of(), wrong);
    }

    @Test
    void modulesThatTheStarterNeedsAreNamed() throws Exception {
        Map<String, String> named = named();
        for (String artifact : List.of(
                "outpost", "outpost-api", "outpost-protocol", "outpost-provider-mock", "outpost-provider-k8s")) {
            assertEquals("${project.version}", named.get(artifact), artifact);
        }
        assertTrue(named.size() > 50, () -> "only " + named.size() + " artefacts");
    }

    private static Map<String, String> named() throws Exception {
        Map<String, String> named = new TreeMap<>();
        String pom = Files.readString(root().resolve("bom/pom.xml"));
        Matcher dependency = DEPENDENCY.matcher(pom.substring(pom.indexOf("<dependencyManagement>")));
        while (dependency.find()) {
            named.put(dependency.group(2), dependency.group(3));
        }
        return named;
    }

    private static Map<String, String> tested() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> JAR.matcher(entry.replace(File.separatorChar, '/')))
                .filter(Matcher::find)
                .collect(Collectors.toMap(jar -> jar.group(1), jar -> jar.group(2), (one, other) -> one));
    }

    private static Path root() {
        return SourceTree.ROOT;
    }
}
