package dev.outpost.system.backend.admin;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.StateFolder;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * Runs the examples of the administrator's pages on a backend with its own database and machines, and compares what they print with the
 * pages ({@link PageConsole}). The faults of the page of incidents are caused here.
 */
@Tag("full")
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminPagesTest {
    private static final Path DOCS = Path.of("../../docs");
    private static final Pattern YAML = Pattern.compile("```yaml\n(apiVersion.*?)```", Pattern.DOTALL);
    private static final String ALL = "read,machines,admin";

    private Path data;
    private BackendHost backend;
    private String host;

    @BeforeAll
    void install(@TempDir Path folder) {
        assumeTrue(System.getenv("OUTPOST_API") == null, "OUTPOST_API is set, and goes before a login");
        data = folder;
        backend = start(folder);
        host = backend.client()
                .get("/v1/clusters")
                .path("items")
                .path(0)
                .path("name")
                .asText();
    }

    private static BackendHost start(Path folder) {
        return BackendHost.start(
                folder,
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s",
                "OUTPOST_PROCESS_ISOLATION",
                "none",
                "OUTPOST_PROCESS_TRUST_ALL_ORGANISATIONS",
                "true");
    }

    @AfterAll
    void stop() {
        if (backend != null) {
            backend.close();
        }
    }

    private PageConsole console(String page) {
        return new PageConsole(DOCS.resolve(page)).onHost(host);
    }

    private CommandUser user(Path folder, String name, String key) {
        return new CommandUser(
                folder, name, BackendAccess.of(backend.access().address().toString(), key));
    }

    /** The administrator of a new organisation. */
    private CommandUser administrator(Path folder, String organisation) {
        return user(folder, organisation, backend.tenant(organisation).access().key());
    }

    /** Makes a key with all rights within a project. */
    private static String key(CommandUser operator, String project) {
        return CommandUser.key(operator.does("keys", "create", project, "--project", project, "--scopes", ALL));
    }

    @Test
    void firstDayIsAsThePageSays(@TempDir Path folder) {
        // Its prices and bills begin with nothing.
        try (BackendHost fresh = start(folder.resolve("backend"))) {
            console("admin/first-day.md").runAll(new CommandUser(folder, "operator", fresh.access()));
        }
    }

    @Test
    void usersAreAsThePageSays(@TempDir Path folder) {
        CommandUser administrator = administrator(folder, "users");
        administrator.does("projects", "create", "vision");
        console("admin/users.md").runAll(administrator);
    }

    @Test
    void limitsAreAsThePageSays(@TempDir Path folder) {
        CommandUser administrator = administrator(folder, "limits");
        administrator.does("projects", "create", "vision");
        console("admin/limits.md").runAll(administrator);
    }

    @Test
    void commandsAreAsThePageSays(@TempDir Path folder) throws IOException {
        Matcher yaml = YAML.matcher(Files.readString(DOCS.resolve("admin-commands.md")));
        assertTrue(yaml.find(), "a file is on the page");
        Path file = Files.writeString(folder.resolve("team.yaml"), yaml.group(1));
        console("admin-commands.md").knowing("team.yaml", file.toString()).runAll(administrator(folder, "commands"));
    }

    @Test
    void backupIsAsThePageSays(@TempDir Path folder) {
        console("admin/backup.md")
                .knowing("monday.zip", folder.resolve("monday.zip").toString())
                .runAll(user(folder, "operator", backend.access().key()));
    }

    // ---- incidents

    @Test
    void incidentsAreAsThePageSays(@TempDir Path folder) throws IOException {
        CommandUser operator = user(folder, "operator", backend.access().key());
        PageConsole page = console("admin/incidents.md");
        machineDoesNotStart(folder, operator, page);
        machineFails(folder, operator, page);
        billLooksWrong(folder, operator, page);
        replicaIsGone(folder, operator, page);
        page.run(operator);
        page.end();
    }

    private BackendClient client(String key) {
        return new BackendClient(BackendAccess.of(backend.access().address().toString(), key));
    }

    private static String ask(BackendClient client, String gpu) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", gpu, "life", "PT10M", "owner", "ada@laptop"));
        return id;
    }

    private static void awaitState(BackendClient client, String id, String state) {
        Await.until(
                () -> client.get("/v1/machines/" + id).toString(),
                () -> client.get("/v1/machines/" + id).path("state").asText().equals(state));
    }

    private static void end(BackendClient client, String id) {
        client.post("/v1/machines/" + id + ":end", Map.of());
        awaitState(client, id, "ENDED");
    }

    /** A quota holds one request back. */
    private void machineDoesNotStart(Path folder, CommandUser operator, PageConsole page) {
        operator.does("projects", "create", "held");
        String key = key(operator, "held");
        BackendClient client = client(key);
        operator.does("quotas", "set", "gpus", "--project", "held", "--allowed", "1");
        String running = ask(client, "any");
        awaitState(client, running, "READY");
        String queued = ask(client, "any");
        Await.until(
                "the quota holds the request back",
                () -> client.get("/v1/machines/" + queued).path("text").asText().contains("position"));
        CommandUser user = user(folder, "held", key);
        page.run(user);
        page.run(user);
        end(client, queued);
        end(client, running);
    }

    /** The process of a machine is killed. */
    private void machineFails(Path folder, CommandUser operator, PageConsole page) {
        operator.does("projects", "create", "killed");
        String key = key(operator, "killed");
        BackendClient client = client(key);
        String id = ask(client, "any");
        awaitState(client, id, "READY");
        kill(id);
        awaitState(client, id, "ENDED");
        page.run(user(folder, "killed", key));
    }

    private void kill(String machine) {
        new StateFolder(data.resolve("machines"))
                .list().stream()
                        .filter(each -> each.record().keeper() instanceof Keeper.Fleet fleet
                                && fleet.id().equals(machine))
                        .flatMap(each -> each.read("process").stream())
                        .flatMap(text -> text.lines().limit(1))
                        .flatMap(number -> ProcessHandle.of(Long.parseLong(number)).stream())
                        .forEach(ProcessHandle::destroyForcibly);
    }

    /** The price changes while a machine runs. */
    private void billLooksWrong(Path folder, CommandUser operator, PageConsole page) {
        operator.does("projects", "create", "priced");
        String key = key(operator, "priced");
        BackendClient client = client(key);
        operator.does("prices", "set", "any", "--per-hour", "1.20");
        String id = ask(client, "any");
        awaitState(client, id, "READY");
        Await.until(
                "an interval is charged",
                () -> client.get("/v1/usage/" + id)
                                .path("items")
                                .path(0)
                                .path("seconds")
                                .asInt()
                        > 1);
        operator.does("prices", "set", "any", "--per-hour", "2.40");
        Await.until(
                "the bill is split",
                () -> client.get("/v1/usage/" + id).path("items").size() == 2);
        page.knowing("fc06a29d-fdf6-40ff-8884-8072fbd0e203", id);
        CommandUser user = user(folder, "priced", key);
        page.run(user);
        page.run(user);
        end(client, id);
    }

    /** The machine of a replica is killed: the deployment starts another one. */
    private void replicaIsGone(Path folder, CommandUser operator, PageConsole page) {
        operator.does("projects", "create", "served");
        String key = key(operator, "served");
        BackendClient client = client(key);
        CommandUser user = user(folder, "served", key);
        user.does("deployments", "create", "chat", "--model", "file:/models/chat", "--min", "1");
        String first = replica(client, "");
        awaitState(client, first, "READY");
        kill(first);
        String second = replica(client, first);
        awaitState(client, second, "READY");
        page.knowing("b54e8d23-7d2e-4c5c-9f0f-0d3ee1c8a001", first);
        page.run(user);
        page.run(user);
        user.does("deployments", "delete", "chat");
        awaitState(client, second, "ENDED");
    }

    private static String replica(BackendClient client, String previous) {
        return Await.present("another replica", () -> {
            String machine = client.get("/v1/deployments/chat")
                    .path("replicas")
                    .path(0)
                    .path("machine")
                    .asText();
            return machine.isEmpty() || machine.equals(previous) ? Optional.empty() : Optional.of(machine);
        });
    }
}
