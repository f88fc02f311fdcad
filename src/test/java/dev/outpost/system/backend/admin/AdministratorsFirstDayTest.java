package dev.outpost.system.backend.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SmallJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The first day of an administrator with a new backend, by commands alone. */
@Tag("full")
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdministratorsFirstDayTest {
    private static final List<String> OF_OPERATOR =
            List.of("organisations", "clusters", "pools", "prices", "token-prices");
    private static final List<String> OF_ADMINISTRATOR = List.of(
            "projects",
            "members",
            "keys",
            "secrets",
            "quotas",
            "budgets",
            "webhooks",
            "schedules",
            "deployments",
            "shares",
            "programs");

    private BackendHost backend;
    private CommandUser operator;

    @BeforeAll
    void install(@TempDir Path folder) {
        assumeTrue(System.getenv("OUTPOST_API") == null, "OUTPOST_API is set, and goes before a login");
        backend = BackendHost.start(
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

    private BackendAccess access(String key) {
        return BackendAccess.of(backend.access().address().toString(), key);
    }

    @Test
    void dayGoesByCommands(@TempDir Path folder) throws IOException {
        operator = new CommandUser(folder, "operator", backend.access());
        String lab = CommandUser.key(operator.does("organisations", "create", "lab"));
        CommandUser administrator = new CommandUser(folder, "administrator", access(lab));
        operator.does("prices", "set", "any", "--per-hour", "3600");
        operator.does("prices", "create", "A100", "--per-hour", "3.67", "--from", "2099-01-01T00:00:00Z");
        operator.does("token-prices", "set", "chat", "--per-million-prompt", "1", "--per-million-new", "2.5");
        operator.does("clusters", "create", "rack", "--provider", "process", "--state", "cordoned", "--machines", "2");
        operator.does("pools", "create", "evenings", "--gpu", "any", "--paused");
        operator.does("quotas", "set", "machines", "--organisation", "lab", "--allowed", "4");

        administrator.does("projects", "create", "vision", "--priority", "5");
        administrator.does("members", "create", "ada@example.org", "--project", "vision", "--role", "developer");
        String laptop = CommandUser.key(administrator.does(
                "keys",
                "create",
                "laptop",
                "--project",
                "vision",
                "--member",
                "ada@example.org",
                "--scopes",
                "read,machines"));
        administrator.does("quotas", "set", "machines", "--project", "vision", "--allowed", "2");
        administrator.does(
                "budgets", "set", "month", "--project", "vision", "--cap", "100000", "--thresholds", "80=notify");
        Path token = Files.writeString(folder.resolve("token"), "hf_secret\n");
        administrator.does("secrets", "set", "HF_TOKEN", "--project", "vision", "--value-from-file", token.toString());
        assertTrue(administrator
                .does("webhooks", "create", "https://1.1.1.1/hook", "--paused", "--types", "job.")
                .contains("secret  whsec_"));

        CommandUser ada = new CommandUser(folder, "ada", access(laptop));
        Path jar = Files.write(folder.resolve("nightly.jar"), SmallJar.of(Nightly.class));
        ada.does(
                "schedules",
                "create",
                "nightly",
                "--jar",
                jar.toString(),
                "--cron",
                "30 2 * * *",
                "--environment",
                "LEVEL=a=b",
                "--arguments",
                "--lr=0.1,0.2",
                "--timeout",
                "2h");
        ada.does("deployments", "create", "chat", "--model", "file:/models/chat", "--target", "8");
        String machine = machine(new BackendClient(access(laptop)));
        ada.does("shares", "create", machine, "--memory-bytes", "1048576");
        assertTrue(ada.does("shares").contains(machine));
        memberIsRefused(ada);

        exportsAreAppliedUnchanged(folder, operator, OF_OPERATOR);
        exportsAreAppliedUnchanged(folder, administrator, OF_ADMINISTRATOR);
        thingsAreMadeAgainFromTheirExport(folder, administrator);

        assertEquals("deleted Share " + machine + "\n", ada.does("shares", "delete", machine));
        assertFalse(ada.does("shares").contains(machine));
        bill(administrator, ada, laptop);
        operatorsLimitIsShownAndKept(administrator);
        assertTrue(administrator.isRefused("projects", "delete", "vision").contains("archive it instead"));
        operator.does("prices", "delete", "A100", "--from", "2099-01-01T00:00:00Z");
        assertTrue(operator.isRefused("prices", "delete", "any").contains("holds already"));
        assertTrue(operator.isRefused("organisations", "delete", "lab").contains("archive its projects"));
        operator.does("organisations", "create", "typo");
        operator.does("organisations", "delete", "typo");
        operator.does("clusters", "delete", "rack");
    }

    /** A program of a schedule, which never runs here. */
    static final class Nightly {
        private Nightly() {}

        public static void main(String[] arguments) {
            System.out.println("done");
        }
    }

    /** Starts a machine, and lets it run for a moment that costs something. */
    private static String machine(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M"));
        Await.until(
                "the machine is ready",
                () -> client.get("/v1/machines/" + id).path("state").asText().equals("READY"));
        return id;
    }

    private static void memberIsRefused(CommandUser ada) {
        assertTrue(ada.isRefused("keys", "create", "more", "--project", "vision", "--scopes", "read")
                .contains("ADMIN"));
        assertTrue(ada.isRefused("projects", "set", "vision", "--priority", "9").contains("ADMIN"));
        assertTrue(ada.isRefused("prices", "set", "any", "--per-hour", "0").contains("OPERATOR"));
        assertTrue(ada.isRefused("quotas", "set", "machines", "--project", "vision", "--allowed", "9")
                .contains("ADMIN"));
    }

    private static void exportsAreAppliedUnchanged(Path folder, CommandUser user, List<String> kinds)
            throws IOException {
        for (String kind : kinds) {
            String yaml = user.does(kind, "list", "-o", "yaml");
            assertFalse(yaml.contains("op_") || yaml.contains("hf_secret") || yaml.contains("whsec_"), yaml);
            if (!yaml.isEmpty()) {
                Path file = Files.writeString(folder.resolve(kind + ".yaml"), yaml);
                String plan = user.does("apply", "-f", file.toString());
                assertTrue(plan.startsWith("No changes"), kind + ":\n" + yaml + plan);
            }
        }
    }

    private static void thingsAreMadeAgainFromTheirExport(Path folder, CommandUser administrator) {
        administrator.does("budgets", "delete", "month", "--project", "vision");
        administrator.does("members", "delete", "ada@example.org", "--project", "vision");
        administrator.does("quotas", "delete", "machines", "--project", "vision");
        administrator.does("schedules", "delete", "nightly");
        administrator.does("webhooks", "delete", "https://1.1.1.1/hook");
        String again = administrator.does(
                "apply",
                "--yes",
                "-f",
                folder.resolve("budgets.yaml").toString(),
                "-f",
                folder.resolve("members.yaml").toString(),
                "-f",
                folder.resolve("quotas.yaml").toString(),
                "-f",
                folder.resolve("schedules.yaml").toString(),
                "-f",
                folder.resolve("webhooks.yaml").toString());
        assertTrue(again.contains("Plan: 5 to create, 0 to change, 0 to delete, 0 unchanged."), again);
    }

    private void bill(CommandUser administrator, CommandUser ada, String laptop) {
        Await.until(
                "the machine has cost something",
                () -> !administrator.does("usage").contains("total 0.00"));
        String key = laptop.split("_")[1];
        new BackendClient(access(laptop))
                .post(
                        "/v1/token-usage",
                        Map.of(
                                "id", UUID.randomUUID().toString(),
                                "records",
                                        List.of(Map.of(
                                                "keyId",
                                                key,
                                                "model",
                                                "chat",
                                                "at",
                                                Instant.now().toString(),
                                                "texts",
                                                1,
                                                "promptTokens",
                                                1_000_000,
                                                "cachedTokens",
                                                0,
                                                "newTokens",
                                                2_000_000,
                                                "seconds",
                                                1))));
        assertTrue(administrator.does("usage", "tokens").endsWith("total 6.00\n"));
        assertTrue(ada.does("usage", "tokens", "--project", "vision").contains("chat"));
    }

    private static void operatorsLimitIsShownAndKept(CommandUser administrator) {
        assertTrue(administrator.does("quotas").contains("operator"));
        assertFalse(administrator.does("quotas", "list", "-o", "yaml").contains("organisation"));
        assertTrue(administrator
                .isRefused("quotas", "set", "machines", "--organisation", "lab", "--allowed", "99")
                .contains("OPERATOR"));
    }

    /** Two administrators apply other values at once: each change is made as planned, or refused. */
    @Test
    void applyingAtOnceLosesNoChange(@TempDir Path folder) throws IOException {
        operator = new CommandUser(folder, "operator", backend.access());
        operator.does("projects", "create", "race", "--priority", "1000");
        int rounds = 10;
        int changed = operator.asUser(() -> race(folder, rounds));
        assertTrue(changed >= rounds, "one of two is always the first");
        int version = backend.client().get("/v1/projects/race").path("version").asInt();
        assertEquals(1 + changed, version, "each success is one change, and each refusal none");
    }

    /** Returns how many of the changes were made. */
    private int race(Path folder, int rounds) throws IOException {
        List<Path> files = List.of(folder.resolve("ada.yaml"), folder.resolve("bob.yaml"));
        int changed = 0;
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < rounds; round++) {
                CountDownLatch start = new CountDownLatch(1);
                List<Future<CommandUser.Outcome>> outcomes = new ArrayList<>();
                for (int i = 0; i < files.size(); i++) {
                    Path file = files.get(i);
                    Files.writeString(
                            file, "kind: Project\nmetadata: {name: race}\nspec: {priority: " + (2 * round + i) + "}\n");
                    outcomes.add(both.submit(() -> {
                        start.await();
                        return operator.run("apply", "--yes", "-f", file.toString());
                    }));
                }
                start.countDown();
                for (Future<CommandUser.Outcome> each : outcomes) {
                    CommandUser.Outcome outcome = await(each);
                    changed += outcome.code() == 0 ? 1 : 0;
                    assertTrue(
                            outcome.code() == 0 || outcome.err().contains("somebody else has changed it"),
                            outcome.err());
                }
            }
        }
        return changed;
    }

    private static CommandUser.Outcome await(Future<CommandUser.Outcome> each) {
        try {
            return each.get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new AssertionError(failure);
        }
    }
}
