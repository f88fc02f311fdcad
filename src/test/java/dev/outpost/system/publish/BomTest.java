package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The BOM names what "dev.outpost:outpost" brings, in the versions that the build tests. */
class BomTest {
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>"
                    + "(?:\\s*<classifier>([^<]+)</classifier>)?");

    private static final List<String> ONLY_OF_THE_COMMAND_LINE =
            List.of("dnnl", "jcuda", "jcuda-natives", "picocli", "slf4j-nop");

    /** Of the jars that a client gets, ours left out; 56 million when the bound was set, and 98 at first. */
    private static final long MAX_BYTES = 58_000_000;

    @Test
    void artefactsOfOthersAreThoseOfTheStartersClassPath() {
        TreeSet<String> brought = ClassPathJar.ofStarter().stream()
                .map(ClassPathJar::coordinates)
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> named = DEPENDENCY
                .matcher(managed())
                .results()
                .filter(dependency -> !dependency.group(1).equals("dev.outpost"))
                .map(dependency -> dependency.group(2)
                        + (dependency.group(4) == null ? "" : ":" + dependency.group(4))
                        + ":" + dependency.group(3))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(String.join("\n", brought), String.join("\n", named));
    }

    /** The command line needs no list: the dependencies of its modules are included, and would be missing in the starter's list. */
    @Test
    void starterHasWhatTheCommandLineHasOfTheSameModules() {
        Set<String> starter =
                ClassPathJar.ofStarter().stream().map(ClassPathJar::coordinates).collect(Collectors.toSet());
        List<String> missing = ClassPathJar.ofCommandLine().stream()
                .filter(jar -> ONLY_OF_THE_COMMAND_LINE.stream().noneMatch(jar.artifact()::equals))
                .map(ClassPathJar::coordinates)
                .filter(coordinates -> !starter.contains(coordinates))
                .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void modulesOfOursHaveTheVersionOfTheProject() {
        List<String> wanted = List.of(
                "outpost",
                "outpost-api",
                "outpost-protocol",
                "outpost-channel",
                "outpost-provider-mock",
                "outpost-provider-k8s",
                "outpost-models",
                "outpost-inference");
        Matcher dependency = DEPENDENCY.matcher(managed());
        List<String> named = dependency
                .results()
                .filter(found ->
                        found.group(1).equals("dev.outpost") && found.group(3).equals("${project.version}"))
                .map(found -> found.group(2))
                .toList();
        assertTrue(named.containsAll(wanted), named::toString);
    }

    @Test
    void classPathOfAClientStaysSmall() throws IOException {
        long bytes = 0;
        for (ClassPathJar jar : ClassPathJar.ofStarter()) {
            bytes += Files.size(jar.file());
        }
        assertTrue(bytes < MAX_BYTES, "the jars of others have " + bytes + " bytes");
    }

    private static String managed() {
        String pom = SourceTree.read("packaging/bom/pom.xml");
        return pom.substring(pom.indexOf("<dependencyManagement>"));
    }
}
