package dev.outpost.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiComparisonTest {
    private static final String OLD = "public class Api { public int size() { return 1; } public void gone() {} }";
    private static final String NEXT = "public class Api { public int size() { return 1; } public void added() {} }";

    @TempDir
    Path folder;

    private Path jar(String name, String source) throws IOException {
        Path sources = Files.createDirectories(folder.resolve(name));
        Path file = sources.resolve("Api.java");
        Files.writeString(file, "package a.b; " + source);
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", sources.toString(), file.toString()));
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream output = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(output)) {
            entries.putNextEntry(new JarEntry("a/b/Api.class"));
            Files.copy(sources.resolve("a/b/Api.class"), entries);
        }
        return jar;
    }

    private static ApiComparison comparison(String packageName, List<String> breaks) {
        return new ApiComparison(System.getProperty("java.class.path"), List.of(packageName), breaks);
    }

    @Test
    void removedMethodIsNamed() throws Exception {
        List<Path> old = List.of(jar("old", OLD));
        List<Path> next = List.of(jar("next", NEXT));
        ReleaseException failure = assertThrows(
                ReleaseException.class, () -> comparison("a.b", List.of()).require(old, next));
        assertTrue(failure.getMessage().contains("gone()"), failure.getMessage());
    }

    @Test
    void markedBreaksOthersPackagesAndAdditionsPass() throws Exception {
        List<Path> old = List.of(jar("old", OLD));
        List<Path> next = List.of(jar("next", NEXT));
        comparison("a.b", List.of("a.b.Api#gone()")).require(old, next);
        comparison("a", List.of()).require(old, next);
        comparison("a.b", List.of())
                .require(old, List.of(jar("more", OLD.replace("gone()", "more() {} public void gone()"))));
    }

    @Test
    void aMarkHasAReason() throws IOException {
        Path file = folder.resolve("breaks.tsv");
        Files.writeString(file, "# element, reason\n\na.b.Api#gone()\tIt never worked.\n");
        assertEquals(List.of("a.b.Api#gone()"), ApiComparison.marked(file));
        Files.writeString(file, "a.b.Api#gone()\n");
        assertThrows(ReleaseException.class, () -> ApiComparison.marked(file));
    }
}
