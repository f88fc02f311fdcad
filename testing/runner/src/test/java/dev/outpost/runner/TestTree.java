package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small build: module {@code b} depends on {@code a/core}, the system tests on {@code b}, and {@code races} is in a profile. */
final class TestTree {
    private TestTree() {}

    static Modules in(Path root) throws IOException {
        write(root, "pom.xml", """
                <project>
                  <modules><module>a/core</module><module>b</module><module>src/test</module></modules>
                  <profiles>
                    <profile><id>stress</id><modules><module>races</module></modules></profile>
                    <profile><id>publish</id><modules><module>zip</module></modules></profile>
                  </profiles>
                </project>
                """);
        module(root, "a/core", "outpost-a", "");
        module(root, "b", "outpost-b", "outpost-a");
        module(root, "races", "outpost-races", "outpost-a");
        module(root, "src/test", "outpost-system-tests", "outpost-b");
        write(root, "a/core/src/test/java/x/SenderTest.java", "");
        write(root, "a/core/src/test/java/x/SenderHelper.java", "");
        write(root, "b/src/test/java/y/ReceiverTest.java", "");
        write(root, "races/src/test/java/z/RacesTest.java", "");
        write(root, "src/test/java/s/WholeTest.java", "");
        return Modules.read(root);
    }

    /** The build with the module whose test reads all sources. */
    static Modules withNames(Path root) throws IOException {
        in(root);
        Path build = root.resolve("pom.xml");
        Files.writeString(
                build,
                Files.readString(build)
                        .replace("<module>b</module>", "<module>b</module><module>testing/house</module>"));
        module(root, "testing/house", "outpost-house", "");
        return Modules.read(root);
    }

    private static void module(Path root, String path, String artifact, String dependency) throws IOException {
        String tests = path.equals("src/test")
                ? "<build><testSourceDirectory>${project.basedir}/java</testSourceDirectory></build>"
                : "";
        write(root, path + "/pom.xml", """
                <project><artifactId>%s</artifactId>
                <dependencies><dependency><groupId>dev.outpost</groupId><artifactId>%s</artifactId></dependency></dependencies>
                %s</project>
                """.formatted(artifact, dependency, tests));
    }

    private static void write(Path root, String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
