package dev.outpost.system.backend.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.rest.client.BackendAccess;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SharedBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Projects and keys of a backend, by commands and by files. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ProjectsAndKeysTest {
    @TempDir
    Path folder;

    private BackendHost backend;
    private CommandUser administrator;

    @BeforeEach
    void login() {
        assumeTrue(System.getenv("OUTPOST_API") == null, "OUTPOST_API is set, and goes before a login");
        backend = SharedBackend.tenant();
        administrator = new CommandUser(folder, "administrator", backend.access());
    }

    private CommandUser holder(String name, String key) {
        return new CommandUser(
                folder, name, BackendAccess.of(backend.access().address().toString(), key));
    }

    @Test
    void projectIsCreatedShownChangedAndDeleted() {
        assertEquals("created Project vision\n", administrator.does("projects", "create", "vision", "--priority", "5"));
        assertTrue(administrator.isRefused("projects", "create", "vision").contains("it is there already"));
        assertEquals("changed Project vision\n", administrator.does("projects", "set", "vision", "--archived"));
        String shown = administrator.does("projects", "show", "vision");
        assertTrue(shown.contains("priority  5\n"), shown);
        assertTrue(shown.contains("archived  true\n"), shown);
        assertEquals("""
                apiVersion: outpost.dev/v1
                kind: Project
                metadata:
                  name: vision
                spec:
                  priority: 5
                  archived: true
                """, administrator.does("projects", "show", "vision", "-o", "yaml"));
        assertTrue(administrator.does("projects", "list", "--json").contains("\"name\" : \"vision\""));
        assertEquals("deleted Project vision\n", administrator.does("projects", "delete", "vision"));
        assertEquals(
                "outpost: Project vision: there is none; see ./outpost projects list\n",
                administrator.isRefused("projects", "show", "vision"));
        assertTrue(administrator.isRefused("projects", "delete", "default").contains("each organisation keeps it"));
    }

    @Test
    void keyIsShownOnceChangedAndRevoked() {
        administrator.does("projects", "create", "vision");
        String made = administrator.does("keys", "create", "ci", "--project", "vision", "--scopes", "read,machines");
        CommandUser ci = holder("ci", CommandUser.key(made));
        assertTrue(ci.does("projects").contains("vision"));
        assertFalse(administrator.does("keys", "list", "-o", "yaml").contains("op_"));
        assertEquals(
                "changed Key ci of project vision\n",
                administrator.does("keys", "set", "ci", "--project", "vision", "--scopes", "read"));
        assertTrue(
                administrator.does("keys", "show", "ci", "--project", "vision").contains("scopes     READ\n"));
        administrator.does("keys", "delete", "ci", "--project", "vision");
        assertTrue(ci.isRefused("projects").contains("revoked"), "the key opens nothing any more");
    }

    @Test
    void keyOfAProjectMakesNoKeysForAnother() {
        administrator.does("projects", "create", "vision");
        administrator.does("projects", "create", "audio");
        String made = administrator.does("keys", "create", "lead", "--project", "vision", "--scopes", "read,admin");
        CommandUser lead = holder("lead", CommandUser.key(made));
        lead.does("keys", "create", "mine", "--project", "vision", "--scopes", "read");
        assertTrue(lead.isRefused("keys", "create", "theirs", "--project", "audio", "--scopes", "read")
                .contains("project audio: there is none that this key can see"));
        assertTrue(lead.isRefused("keys", "create", "more", "--project", "vision", "--scopes", "machines")
                .contains("a key cannot make one that may more than itself"));
        assertTrue(lead.isRefused("projects", "create", "other").contains("the key is for one project"));
    }

    @Test
    void filesAreAppliedAndAppliedAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("team.yaml"), """
                kind: Key
                metadata: {name: ci, project: vision}
                spec:
                  scopes: [read, machines]
                ---
                kind: Project
                metadata: {name: vision}
                spec:
                  priority: 5
                """);
        String plan = administrator.does("apply", "-f", file.toString(), "--dry-run");
        assertEquals("""
                + create Project vision
                    priority: 5
                + create Key ci of project vision
                    scopes: READ,MACHINES
                Plan: 2 to create, 0 to change, 0 to delete, 0 unchanged.
                """, plan);
        assertFalse(administrator.does("projects").contains("vision"), "a dry run makes nothing");
        String applied = administrator.does("apply", "-f", file.toString(), "--yes");
        assertTrue(applied.contains("created Key ci of project vision\n  key  op_"), applied);
        assertEquals(
                "No changes: all 2 are as the files say.\n",
                administrator.does("apply", "-f", file.toString(), "--yes"));
        administrator.does("projects", "set", "vision", "--priority", "7");
        assertTrue(administrator
                .does("apply", "-f", file.toString(), "--yes")
                .startsWith("~ change Project vision\n    priority: 7 -> 5\n"));
    }

    @Test
    void exportIsAppliedUnchangedAndPruned() throws IOException {
        administrator.does("projects", "create", "vision", "--priority", "5");
        administrator.does("keys", "create", "ci", "--project", "vision", "--scopes", "read");
        administrator.does("keys", "create", "ci", "--scopes", "read", "--expires", "2099-01-31T00:00:00Z");
        for (String kind : new String[] {"projects", "keys"}) {
            Path file = folder.resolve(kind + ".yaml");
            Files.writeString(file, administrator.does(kind, "list", "-o", "yaml"));
            assertTrue(administrator.does("apply", "-f", file.toString()).startsWith("No changes"), kind);
        }
        Path one = Files.writeString(
                folder.resolve("one.yaml"),
                "kind: Key\nmetadata: {name: ci, project: vision}\nspec: {scopes: [read]}\n");
        String pruned = administrator.does("apply", "-f", one.toString(), "--prune", "--yes");
        assertTrue(pruned.contains("Plan: 0 to create, 0 to change, 1 to delete, 1 unchanged."), pruned);
        assertTrue(administrator.does("keys").contains("administrator"), "the own key stays");
    }
}
