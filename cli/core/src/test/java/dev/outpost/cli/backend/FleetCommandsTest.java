package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands for pools, budgets, webhooks and secrets. */
class FleetCommandsTest extends StubbedCommands {
    private static final String WEBHOOK = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String BUDGET = """
            {"name": "project/vision/month", "project": "vision", "period": "MONTH", "from": "2026-01-01T00:00:00Z",
              "spent": 1.25, "spentNanos": 1250000000, "cap": 500.0, "left": 498.75, "leftNanos": 498750000000,
              "nanosPerSecond": 0, "thresholds": [{"percent": 80, "action": "%s"}, {"percent": 100, "action": "END"}],
              "text": "%s", "reached": [], "version": 1}
            """;
    private static final String POOL = """
            {"name": "evenings", "version": 3, "gpu": "A100", "min": 1, "max": 4, "idle": "PT10M", "lease": "PT1M", "paused": false,
             "failures": 0, "text": "1 waits",
             "members": [{"machine": "%1$s", "phase": "READY", "since": "2026-01-01T00:00:00Z"},
               {"machine": "%1$s", "phase": "BOOT", "since": "2026-01-01T00:00:00Z"}]}
            """.formatted(WEBHOOK);

    @BeforeEach
    void logIn() {
        loggedIn();
    }

    private void succeeds(String... arguments) {
        assertEquals(0, run(arguments), this::complained);
    }

    private StubBackend.Asked lastAsked() {
        return backend.asked().getLast();
    }

    // ---- pools

    @Test
    void poolsAreListedPageByPage() {
        backend.answer("GET /v1/pools", "{\"items\": [" + POOL + "], \"next\": \"c\"}")
                .answer("GET /v1/pools?cursor=c", "{\"items\": []}");
        succeeds("pools");
        assertEquals("""
                NAME      GPU   WAITING  MIN  MAX  IDLE   LEASE  WHAT IT DOES
                evenings  A100  1        1    4    PT10M  PT1M   1 waits
                """, printed());
    }

    @Test
    void poolIsSetWhole() {
        backend.answer("PUT /v1/pools/evenings", POOL);
        succeeds("pools", "set", "evenings", "--gpu", "A100", "--max", "4", "--idle", "PT5M");
        assertEquals(
                "{\"gpu\":\"A100\",\"min\":1,\"max\":4,\"idle\":\"PT5M\",\"lease\":\"PT1M\"}",
                lastAsked().body());
        assertEquals("evenings: 1 waits\n", printed());
    }

    @Test
    void pausedPoolKeepsItsSize() {
        backend.answer("GET /v1/pools/evenings", POOL).answer("PUT /v1/pools/evenings", POOL);
        succeeds("pools", "pause", "evenings");
        assertEquals(
                "{\"gpu\":\"A100\",\"min\":1,\"max\":4,\"idle\":\"PT10M\",\"lease\":\"PT1M\",\"paused\":true}",
                lastAsked().body());
        succeeds("pools", "resume", "evenings");
        assertTrue(lastAsked().body().endsWith("\"paused\":false}"), lastAsked()::body);
    }

    @Test
    void poolIsRemoved() {
        backend.answer("DELETE /v1/pools/evenings", "");
        succeeds("pools", "remove", "evenings");
        assertEquals("evenings is removed\n", printed());
        assertEquals(1, run("pools", "remove", "a/b"));
        assertTrue(complained().contains("name: expected 1 to 40"), this::complained);
    }

    // ---- budgets

    @Test
    void budgetsAreListed() {
        backend.answer(
                "GET /v1/budgets",
                "{\"items\": [" + BUDGET.formatted("NOTIFY", "498.75 left, 38 minutes at this rate") + "]}");
        succeeds("budgets");
        assertEquals("""
                BUDGET                SPENT  CAP  THRESHOLDS         WHAT IS LEFT
                project/vision/month  1.25   500  80=notify,100=end  498.75 left, 38 minutes at this rate
                """, printed());
    }

    @Test
    void actionOfANewerBackendIsListed() {
        backend.answer("GET /v1/budgets", "{\"items\": [" + BUDGET.formatted("HIBERNATE", "498.75 left") + "]}");
        succeeds("budgets");
        assertTrue(printed().contains("80=?,100=end"), printed());
    }

    @Test
    void budgetIsSetWithThresholds() {
        backend.answer("PUT /v1/budgets", BUDGET.formatted("REFUSE", "500.00 left"));
        succeeds(
                "budgets",
                "set",
                "--project",
                "vision",
                "--period",
                "month",
                "--cap",
                "500",
                "--at",
                "90=refuse,100=end");
        assertEquals(
                "{\"project\":\"vision\",\"period\":\"MONTH\",\"cap\":500,\"thresholds\":["
                        + "{\"percent\":90,\"action\":\"REFUSE\"},{\"percent\":100,\"action\":\"END\"}]}",
                lastAsked().body());
        assertEquals("project/vision/month: 500.00 left\n", printed());
    }

    @Test
    void budgetIsRemovedByItsPeriodAndProject() {
        backend.answer("DELETE /v1/budgets?period=DAY&project=vision", "");
        succeeds("budgets", "remove", "--period", "day", "--project", "vision");
        assertEquals(2, run("budgets", "remove"));
        assertTrue(complained().contains("--period"), this::complained);
    }

    // ---- prices

    @Test
    void pricesAreListedAndSet() {
        String price =
                "{\"gpu\": \"A100\", \"from\": \"2026-02-01T00:00:00Z\", \"nanosPerSecond\": 1019444, \"perHour\": 3.670}";
        backend.answer("GET /v1/prices", "{\"items\": [" + price + "]}").answer("PUT /v1/prices", price);
        succeeds("prices", "set", "A100", "3.67", "--from", "2026-02-01T00:00:00Z");
        assertEquals(
                "{\"gpu\":\"A100\",\"perHour\":3.67,\"from\":\"2026-02-01T00:00:00Z\"}",
                lastAsked().body());
        succeeds("prices");
        assertEquals("""
                A100: 3.67 an hour from 2026-02-01T00:00:00Z on
                GPU   FROM                  PER HOUR
                A100  2026-02-01T00:00:00Z  3.67
                """, printed());
    }

    // ---- webhooks

    @Test
    void addedWebhookShowsItsSecretOnce() {
        String[] arguments = {"webhooks", "add", "https://example.org/hook", "--types", "job.,machine.ended"};
        assertEquals(1, run(arguments), "the stub knows no webhook of that id");
        String path = lastAsked().request();
        assertTrue(path.matches("PUT /v1/webhooks/[0-9a-f-]{36}"), path);
        assertEquals(
                "{\"url\":\"https://example.org/hook\",\"types\":[\"job.\",\"machine.ended\"]}",
                lastAsked().body());
    }

    @Test
    void webhooksAndDeadLettersAreListedAndSentAgain() {
        String deliveries = "/v1/webhooks/" + WEBHOOK + "/deliveries";
        backend.answer(
                        "GET /v1/webhooks",
                        "{\"items\": [{\"id\": \"" + WEBHOOK
                                + "\", \"version\": 1, \"url\": \"https://example.org/hook\", \"types\": [],"
                                + " \"paused\": true, \"created\": \"2026-01-01T00:00:00Z\"}]}")
                .answer(
                        "GET " + deliveries + "?state=DEAD",
                        "{\"items\": [{\"id\": 7, \"event\": \"" + WEBHOOK
                                + "\", \"type\": \"job.failed\", \"state\": \"DEAD\", \"tries\": 10, \"body\": {\"exitCode\": null},"
                                + " \"created\": \"2026-01-01T00:00:00Z\", \"text\": \"status 500\"}]}")
                .answer("POST " + deliveries + "/7:redeliver", "");
        succeeds("webhooks");
        succeeds("webhooks", "deliveries", WEBHOOK, "--state", "dead");
        succeeds("webhooks", "redeliver", WEBHOOK, "7");
        assertEquals("""
                ID                                    URL                       PROJECT  TYPES  STATE
                0f8fad5b-d9cb-469f-a165-70867728950e  https://example.org/hook  all      all    paused
                NUMBER  TYPE        STATE  TRIES  CREATED               LAST ANSWER
                7       job.failed  DEAD   10     2026-01-01T00:00:00Z  status 500
                7 is sent again
                """, printed());
        assertEquals(1, run("webhooks", "remove", "../keys"));
        assertTrue(complained().contains("webhook: expected an id"), this::complained);
    }

    // ---- secrets

    @Test
    void valueOfASecretIsReadFromInputAndNotPrinted() {
        backend.answer(
                "PUT /v1/secrets/HF_TOKEN",
                "{\"project\": \"default\", \"name\": \"HF_TOKEN\", \"version\": 1, \"changed\": \"2026-01-01T00:00:00Z\"}");
        System.setIn(new ByteArrayInputStream("hf_value\n".getBytes(StandardCharsets.UTF_8)));
        succeeds("secrets", "set", "HF_TOKEN");
        assertEquals("{\"value\":\"hf_value\"}", lastAsked().body());
        assertEquals("HF_TOKEN is set\n", printed());
        assertFalse((printed() + complained()).contains("hf_value"));
    }

    @Test
    void secretsAreListedAndRemovedByProject() {
        backend.answer(
                        "GET /v1/secrets?project=vision",
                        "{\"items\": [{\"name\": \"HF_TOKEN\", \"project\": \"vision\", \"version\": 1,"
                                + " \"changed\": \"2026-01-01T00:00:00Z\"}]}")
                .answer("DELETE /v1/secrets/HF_TOKEN?project=vision", "");
        succeeds("secrets", "--project", "vision");
        succeeds("secrets", "remove", "HF_TOKEN", "--project", "vision");
        assertEquals("""
                NAME      PROJECT  CHANGED
                HF_TOKEN  vision   2026-01-01T00:00:00Z
                HF_TOKEN is removed
                """, printed());
        assertEquals(1, run("secrets", "remove", "a/b"));
        assertTrue(complained().contains("secret: expected the name of a variable"), this::complained);
    }
}
