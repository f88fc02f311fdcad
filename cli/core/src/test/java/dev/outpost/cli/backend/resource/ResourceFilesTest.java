package dev.outpost.cli.backend.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that declare resources, and refusals that say where a file is wrong. */
class ResourceFilesTest {
    @TempDir
    Path folder;

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Resource> read(String text) {
        return ResourceFiles.read(List.of("-"), input(text));
    }

    @Test
    void formsOfOneValueAreTheSame() {
        Resource one = read("""
                kind: Pool
                metadata: {name: evenings}
                spec: {gpu: a100, idle: 5m, min: "1"}
                """).getFirst();
        assertEquals(
                "{\"gpu\":\"A100\",\"min\":1,\"idle\":\"PT5M\"}", one.spec().toString());
        assertEquals(one.spec(), read("""
                {"kind": "Pool", "metadata": {"name": "evenings"},
                 "spec": {"gpu": "A100", "min": 1, "idle": "PT300S"}}
                """).getFirst().spec());
        Resource quota = read("kind: Quota\nmetadata: {name: gpus, gpu: h100}\nspec: {allowed: 8}\n")
                .getFirst();
        assertEquals("{name=GPUS, gpu=H100}", quota.metadata().toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kind: Projekt~metadata: {name: a}                        | 1: no kind is called Projekt; did you mean Project?
            kind: Project~metadata: {name: a}~spec: {priorty: 5}     | 3: Project a: spec.priorty: no field is called priorty; did you mean priority?
            kind: Project~metadata: {name: a}~spec: {priority: high} | 3: Project a: spec.priority: expected a number, got "high"
            kind: Project~metadata: {name: a}~spec: [5]              | 3: Project a: spec is a map of names and values, got something else
            kind: Project~metadata: {nam: a}                         | 2: Project : metadata.nam: no field is called nam; did you mean name?
            kind: Project~metadata: {}                               | 2: Project: metadata.name is missing
            kind: Project                                            | 1: Project: metadata is missing; it has at least a name
            metadata: {name: a}                                      | 1: kind is missing
            kind: Project~metadata: {name: a}~stauts: {}             | 3: no part of a document is called stauts
            apiVersion: v2~kind: Project~metadata: {name: a}         | 1: apiVersion: expected outpost.dev/v1, got "v2"
            kind: Key~metadata: {name: a}~spec: {scopes: read}       | 3: Key a: spec.scopes: expected a list, got read
            kind: Key~metadata: {name: a}~spec: {scopes: [raed]}     | 3: Key a: spec.scopes: expected read or machines or admin or operator, got "raed"
            kind: Key~metadata: {name: a}~spec: {expires: tomorrow}  | 3: Key a: spec.expires: expected a time such as 2027-01-31T00:00:00Z, got "tomorrow"
            kind: Pool~metadata: {name: a}~spec: {idle: soon}        | 3: Pool a: spec.idle:
            kind: Pool~metadata: {name: a}~spec: {paused: yes}       | 3: Pool a: spec.paused: expected true or false, got "yes"
            kind: Project~metadata: {name: a, name: b}               | 2: Project a: metadata: name is given twice
            kind: [Project                                           | 2: expected ',' or ']'
            """)
    void refusalNamesThePlace(String text, String expected) {
        String problem = assertThrows(IllegalArgumentException.class, () -> read(text.replace('~', '\n') + "\n"))
                .getMessage();
        assertTrue(problem.startsWith("standard input:" + expected), problem);
    }

    @Test
    void secondDocumentIsCountedInTheSameFile() {
        String two = "kind: Project\nmetadata: {name: a}\n---\nkind: Project\nmetadata: {name: a}\n";
        assertEquals(
                "standard input:4: Project a: it is declared twice, first at standard input:1",
                assertThrows(IllegalArgumentException.class, () -> read(two)).getMessage());
    }

    @Test
    void anchorThatContainsItselfIsRefused() {
        String text = "kind: Schedule\nmetadata: {name: a}\nspec: {arguments: &a [*a]}\n";
        assertTrue(assertThrows(IllegalArgumentException.class, () -> read(text))
                .getMessage()
                .contains("at most 8 levels"));
    }

    @Test
    void aliasesThatMultiplyAreRefused() {
        StringBuilder text = new StringBuilder("kind: Schedule\nmetadata: {name: a}\nspec:\n  arguments:\n");
        text.append("    - &a0 [").append("x, ".repeat(99)).append("x]\n");
        for (int level = 1; level < 4; level++) {
            String alias = "*a" + (level - 1);
            text.append("    - &a").append(level).append(" [");
            text.append(String.join(", ", Collections.nCopies(15, alias))).append("]\n");
        }
        String problem = assertThrows(IllegalArgumentException.class, () -> read(text.toString()))
                .getMessage();
        assertTrue(problem.contains("at most 100000 values in a file"), problem);
    }

    @Test
    void folderIsReadInOrderAndPathsAreOfTheFile() throws IOException {
        Files.writeString(folder.resolve("b.yml"), "kind: Project\nmetadata: {name: b}\n");
        Files.writeString(
                folder.resolve("a.yaml"),
                "kind: Secret\nmetadata: {name: TOKEN}\nspec: {valueFromFile: token.txt}\n---\n");
        Files.writeString(folder.resolve("notes.txt"), "kind: none");
        List<Resource> all = ResourceFiles.read(List.of(folder.toString()), input(""));
        assertEquals(
                List.of("Secret TOKEN", "Project b"),
                all.stream().map(Resource::title).toList());
        assertEquals(folder.resolve("token.txt").toString(), all.getFirst().text("valueFromFile"));
        String missing = assertThrows(
                        IllegalArgumentException.class, () -> ResourceFiles.read(List.of("none.yaml"), input("")))
                .getMessage();
        assertEquals("apply: none.yaml: there is no such file or folder", missing);
    }
}
