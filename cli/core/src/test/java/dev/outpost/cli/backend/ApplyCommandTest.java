package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code apply} at a backend whose answers the test has written. */
class ApplyCommandTest extends StubbedCommands {
    private static final String PROJECT =
            "{\"name\": \"vision\", \"priority\": 3, \"created\": \"2026-01-01T00:00:00Z\", \"version\": 4}";

    private Path file;

    @BeforeEach
    void logIn() throws IOException {
        loggedIn();
        file = Files.writeString(
                home.resolve("team.yaml"), "kind: Project\nmetadata: {name: vision}\nspec: {priority: 5}\n");
        backend.answer("GET /v1/projects", "{\"items\": [" + PROJECT + "]}");
    }

    /** The backend refuses a change of a version that another administrator has changed in the meantime. */
    @Test
    void changeOfSomebodyElseIsNotOverwritten() {
        backend.refuse("PUT /v1/projects/vision", 412, "changed-since", "it is of another version");
        assertEquals(1, run("apply", "-f", file.toString(), "--yes"));
        assertEquals("\"4\"", backend.asked().getLast().ifMatch());
        assertEquals(
                "outpost: " + file + ":1: Project vision: somebody else has changed it in the meantime; look at it, and"
                        + " try again (0 of 1 changes were made before it; apply again to make the rest)\n",
                complained());
    }

    @Test
    void madeThingMustNotBeThereYet() throws IOException {
        Files.writeString(file, "kind: Project\nmetadata: {name: audio}\n");
        backend.refuse("PUT /v1/projects/audio", 412, "changed-since", "it is of another version");
        assertEquals(1, run("apply", "-f", file.toString(), "--yes"));
        assertEquals("*", backend.asked().getLast().ifNoneMatch());
        assertTrue(complained().contains("Project audio: it is there already"), this::complained);
    }

    @Test
    void planIsNotAppliedUnasked() {
        assertEquals(1, run("apply", "-f", file.toString()));
        assertEquals("""
                ~ change Project vision
                    priority: 3 -> 5
                Plan: 0 to create, 1 to change, 0 to delete, 0 unchanged.
                """, printed());
        assertEquals(
                "outpost: apply: nobody can be asked here; look at the plan by --dry-run, and apply it by --yes\n",
                complained());
        assertTrue(backend.asked().stream().noneMatch(one -> one.request().startsWith("PUT")));
    }

    @Test
    void nothingIsChangedBeforeAllFilesAreRead() throws IOException {
        Path wrong =
                Files.writeString(home.resolve("wrong.yaml"), "kind: Project\nmetadata: {name: x}\nspec: {prio: 1}\n");
        assertEquals(1, run("apply", "-f", file.toString(), "-f", wrong.toString(), "--yes"));
        assertTrue(
                complained().contains(wrong + ":3: Project x: spec.prio: no field is called prio"), this::complained);
        assertTrue(backend.asked().isEmpty(), () -> backend.asked().toString());
    }

    @Test
    void missingFieldIsNamedWithItsFile() throws IOException {
        backend.answer("GET /v1/keys", "{\"items\": []}");
        Files.writeString(file, "---\nkind: Key\nmetadata: {name: ci}\n");
        assertEquals(1, run("apply", "-f", file.toString(), "--yes"));
        assertTrue(complained().startsWith("outpost: " + file + ":2: Key ci: scopes is missing"), this::complained);
    }
}
