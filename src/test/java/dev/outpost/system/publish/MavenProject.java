package dev.outpost.system.publish;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A fresh Maven project that has the ten lines and the one dependency of the README, and nothing of this build. */
record MavenProject(Path folder) {
    /** Writes the project, and compiles it for Java 21 against the published artefacts. */
    static MavenProject compile(Path folder, Publication publication) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("src/main/java"));
        Files.writeString(folder.resolve("src/main/java/TenLines.java"), TenLines.program());
        Files.writeString(folder.resolve("src/main/java/RemoteTenLines.java"), TenLines.onEndpoint("RemoteTenLines"));
        String dependency = "dev.outpost:outpost:" + Publication.VERSION;
        Files.writeString(
                folder.resolve("pom.xml"), pom(publication.repository().toUri(), dependency));
        MavenProject project = new MavenProject(folder);
        project.maven("compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath");
        return project;
    }

    /** A project without sources that has a dependency, {@code group:artifact:version}, from Maven Central. */
    static MavenProject resolve(Path folder, String dependency) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("pom.xml"), pom(folder.toUri(), dependency));
        MavenProject project = new MavenProject(folder);
        project.maven("dependency:build-classpath", "-Dmdep.outputFile=classpath");
        return project;
    }

    /** Uses a separate local repository before the user's, so that artefacts that were published earlier are not used. */
    private void maven(String... arguments) throws IOException, InterruptedException {
        Path repository = Path.of(System.getProperty("user.home"), ".m2", "repository");
        List<String> words = new ArrayList<>(List.of(
                SourceTree.ROOT.resolve("mvnw").toString(),
                "-q",
                "-Dmaven.repo.local=" + folder.resolve("local"),
                "-Dmaven.repo.local.tail=" + repository));
        words.addAll(List.of(arguments));
        ExternalProgram.in(folder, words.toArray(String[]::new)).run();
    }

    /** Its classes and the artefacts of its one dependency. */
    String classPath() throws IOException {
        return folder.resolve("target/classes")
                + File.pathSeparator
                + Files.readString(folder.resolve("classpath")).strip();
    }

    private static String pom(URI repository, String dependency) {
        String[] coordinates = dependency.split(":");
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
                      <id>%s</id>
                      <url>%s</url>
                    </repository>
                  </repositories>
                  <dependencies>
                    <dependency>
                      <groupId>%s</groupId>
                      <artifactId>%s</artifactId>
                      <version>%s</version>
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
                """.formatted(Publication.repositoryId(), repository, coordinates[0], coordinates[1], coordinates[2]);
    }
}
