package dev.outpost.system.publish;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A fresh Maven project that has the ten lines and the one dependency of the README, and nothing of this build. */
record MavenProject(Path folder) {
    /** Writes it, and compiles it for Java 21 against what was published. */
    static MavenProject compile(Path folder, Publication publication) throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("src/main/java"));
        Files.writeString(folder.resolve("src/main/java/TenLines.java"), TenLines.program());
        Files.writeString(folder.resolve("pom.xml"), pom(publication.repository()));
        Command.in(
                        folder,
                        SourceTree.ROOT.resolve("mvnw").toString(),
                        "-q",
                        "compile",
                        "dependency:build-classpath",
                        "-Dmdep.outputFile=classpath")
                .run();
        return new MavenProject(folder);
    }

    /** Its classes, and what the one dependency brings. */
    String classPath() throws IOException {
        return folder.resolve("target/classes")
                + File.pathSeparator
                + Files.readString(folder.resolve("classpath")).strip();
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
                """.formatted(repository.toUri(), Publication.VERSION);
    }
}
