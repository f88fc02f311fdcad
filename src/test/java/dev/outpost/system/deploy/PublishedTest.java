package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Maven project outside of this build takes what "./outpost publish" wrote, and runs the ten lines of the README. */
@Tag("full")
class PublishedTest {
    private static final Pattern TEN_LINES = Pattern.compile("## Ten lines\\s+```java\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    @Timeout(900)
    void freshMavenProjectRunsTheTenLines() throws Exception {
        Path repository = folder.resolve("repository");
        Path sources = copyOfSources();
        run(sources, sources.resolve("outpost").toString(), "publish", repository.toString());
        assertWhole(
                repository.resolve("dev/outpost/outpost-api"),
                "-sources.jar",
                "-javadoc.jar",
                "-cyclonedx.json",
                ".pom.sha1");

        Path project = Files.createDirectories(folder.resolve("project"));
        Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(project.resolve("src/main/java/TenLines.java"), program());
        Files.writeString(project.resolve("pom.xml"), pom(repository));
        run(
                project,
                DeployFolder.TREE.resolve("mvnw").toString(),
                "-q",
                "compile",
                "dependency:build-classpath",
                "-Dmdep.outputFile=classpath");
        String classPath = "target/classes" + File.pathSeparator
                + Files.readString(project.resolve("classpath")).strip();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String printed = run(project, java, "-cp", classPath, "TenLines");
        assertTrue(printed.contains("tensor([ 1.0000, -2.0000,  3.0000], requires_grad=True)"), printed);
    }

    /** The build of this tree is locked while its tests run. */
    private Path copyOfSources() throws Exception {
        Path copy = folder.resolve("sources");
        try (var files = Files.walk(DeployFolder.TREE)) {
            for (Path file : (Iterable<Path>) files.filter(PublishedTest::isSource)::iterator) {
                Files.copy(file, copy.resolve(DeployFolder.TREE.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    private static boolean isSource(Path file) {
        for (Path part : DeployFolder.TREE.relativize(file)) {
            if (part.toString().equals("target") || part.toString().equals(".git")) {
                return false;
            }
        }
        return true;
    }

    private static void assertWhole(Path artefact, String... endings) throws Exception {
        try (var files = Files.walk(artefact)) {
            List<String> names = files.map(Path::toString).toList();
            for (String ending : endings) {
                assertTrue(names.stream().anyMatch(name -> name.endsWith(ending)), () -> ending + " in " + names);
            }
        }
    }

    private static String program() throws Exception {
        Matcher lines = TEN_LINES.matcher(Files.readString(DeployFolder.TREE.resolve("README.md")));
        assertTrue(lines.find(), "the README has no ten lines");
        return """
                import dev.outpost.*;
                import dev.outpost.nn.Functional;

                public class TenLines {
                    public static void main(String[] arguments) {
                        %s
                    }
                }
                """.formatted(lines.group(1));
    }

    private static String pom(Path repository) {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>example</groupId>
                  <artifactId>example</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>21</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <repositories>
                    <repository>
                      <id>outpost</id>
                      <url>%s</url>
                    </repository>
                  </repositories>
                  <dependencies>
                    <dependency>
                      <groupId>dev.outpost</groupId>
                      <artifactId>outpost</artifactId>
                      <version>0.1.0-SNAPSHOT</version>
                    </dependency>
                  </dependencies>
                  <build>
                    <pluginManagement>
                      <plugins>
                        <plugin>
                          <artifactId>maven-compiler-plugin</artifactId>
                          <version>3.15.0</version>
                        </plugin>
                      </plugins>
                    </pluginManagement>
                  </build>
                </project>
                """.formatted(repository.toUri());
    }

    private String run(Path where, String... command) throws Exception {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int status = builder.start().waitFor();
        String printed = Files.readString(output);
        assertEquals(0, status, () -> String.join(" ", command) + "\n" + printed);
        return printed;
    }
}
