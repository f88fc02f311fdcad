package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private String pruned(String text) throws IOException {
        Files.writeString(file, text);
        assertEquals(0, run("apply", "-f", file.toString(), "--prune", "--yes"), this::complained);
        return printed();
    }

    private List<String> deleted() {
        return backend.asked().stream()
                .map(StubBackend.Asked::request)
                .filter(request -> request.startsWith("DELETE"))
                .toList();
    }

    @Test
    void deploymentOfAPublishedProgramIsNotPruned() throws IOException {
        String views = Stream.of("chat", "program", "old")
                .map(name -> ("{\"name\": \"%s\", \"project\": \"default\", \"revision\": 1, \"min\": 0, \"max\": 1,"
                                + " \"target\": 16, \"idle\": \"PT5M\", \"version\": 2, \"revisions\": [{\"number\": 1,"
                                + " \"model\": \"file:/chat\", \"gpu\": \"any\", \"created\": \"2026-01-01T00:00:00Z\","
                                + " \"createdBy\": \"k\"}], \"wanted\": 0, \"text\": \"\", \"replicas\": []}")
                        .formatted(name))
                .collect(Collectors.joining(", "));
        backend.answer("GET /v1/deployments", "{\"items\": [" + views + "]}");
        backend.answer("GET /v1/deployments/chat", views.split(", (?=.{2}name)")[0]);
        backend.answer(
                "GET /v1/programs",
                "{\"items\": [{\"name\": \"program\", \"project\": \"default\", \"file\": \"00\", \"gpu\": \"any\","
                        + " \"inputs\": [], \"outputs\": [], \"mostRows\": 0, \"text\": \"\"}]}");
        backend.answer("DELETE /v1/deployments/old", "{}");
        String plan = pruned("kind: Deployment\nmetadata: {name: chat}\nspec: {model: \"file:/chat\"}\n");
        assertTrue(plan.contains("0 to create, 0 to change, 1 to delete, 1 unchanged"), plan);
        assertEquals(List.of("DELETE /v1/deployments/old"), deleted());
    }

    private static String secret(String name, String project) {
        return "{\"project\": \"%s\", \"name\": \"%s\", \"version\": 1, \"changed\": \"2026-01-01T00:00:00Z\"}"
                .formatted(project, name);
    }

    @Test
    void resourceInTheListsOfSeveralScopesIsDeletedOnce() throws IOException {
        String all = secret("OLD", "vision") + ", " + secret("TOKEN", "vision");
        backend.answer(
                "GET /v1/secrets",
                "{\"items\": [" + all + ", " + secret("TOKEN", "default") + ", " + secret("OTHER", "default") + "]}");
        backend.answer("GET /v1/secrets?project=vision", "{\"items\": [" + all + "]}");
        backend.answer("GET /v1/secrets?project=default", "{\"items\": [" + secret("TOKEN", "default") + "]}");
        backend.answer("DELETE /v1/secrets/OLD?project=vision", "");
        pruned("""
                kind: Secret
                metadata: {name: TOKEN, project: vision}
                ---
                kind: Secret
                metadata: {name: TOKEN, project: default}
                ---
                kind: Secret
                metadata: {name: OTHER}
                """);
        assertEquals(List.of("DELETE /v1/secrets/OLD?project=vision"), deleted());
    }

    private static String member(String subject, String more) {
        return "{\"subject\": \"%s\", \"role\": \"ADMIN\", \"created\": \"2026-01-01T00:00:00Z\", \"version\": 1%s}"
                .formatted(subject, more);
    }

    @Test
    void callerAndMembersOfGroupsAreNotPruned() throws IOException {
        backend.answer(
                "GET /v1/members",
                "{\"items\": [" + member("ada", "") + ", " + member("eve", "") + ", " + member("me", "") + ", "
                        + member("ofGroup", ", \"expires\": \"2099-01-01T00:00:00Z\"") + "]}");
        backend.answer(
                "GET /v1/keys",
                "{\"items\": [{\"id\": \"abcdefghij\", \"name\": \"mine\", \"member\": \"me\", \"scopes\": [\"ADMIN\"],"
                        + " \"created\": \"2026-01-01T00:00:00Z\", \"createdBy\": \"x\", \"version\": 1}]}");
        backend.answer("DELETE /v1/members/eve", "");
        pruned("kind: Member\nmetadata: {name: ada}\nspec: {role: admin}\n");
        assertEquals(List.of("DELETE /v1/members/eve"), deleted());
    }

    @Test
    void optionsOfAClusterAreNotPrinted() throws IOException {
        backend.answer("GET /v1/clusters", "{\"items\": []}");
        Files.writeString(
                file, "kind: Cluster\nmetadata: {name: a}\nspec: {provider: k8s, options: {token: s3cret, url: u1}}\n");
        assertEquals(0, run("apply", "-f", file.toString(), "--dry-run"), this::complained);
        assertTrue(printed().contains("options: token=(hidden),url=(hidden)\n"), this::printed);
        assertFalse(printed().contains("s3cret"), this::printed);
    }

    @Test
    void controlCharactersOfTheBackendAreNotPrinted() throws IOException {
        backend.answer(
                "GET /v1/webhooks",
                "{\"items\": [{\"id\": \"11111111-1111-1111-1111-111111111111\", \"url\": \"https://a.example\", \"types\": [\"\\u001b[2Jx\\u009b\"],"
                        + " \"paused\": false, \"version\": 1, \"created\": \"2026-01-01T00:00:00Z\"}]}");
        Files.writeString(file, "kind: Webhook\nmetadata: {name: \"https://a.example\"}\nspec: {types: [job.]}\n");
        assertEquals(0, run("apply", "-f", file.toString(), "--dry-run"), this::complained);
        assertTrue(printed().contains("types:  [2Jx  -> job."), this::printed);
    }

    @Test
    void missingFieldIsNamedWithItsFile() throws IOException {
        backend.answer("GET /v1/keys", "{\"items\": []}");
        Files.writeString(file, "---\nkind: Key\nmetadata: {name: ci}\n");
        assertEquals(1, run("apply", "-f", file.toString(), "--yes"));
        assertTrue(complained().startsWith("outpost: " + file + ":2: Key ci: scopes is missing"), this::complained);
    }
}
